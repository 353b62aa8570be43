import { type Static, Type } from 'typebox'

/** Where a drawn scene is set. `clinic` is a vet's or a groomer's room, `car` the inside of one. */
const places = [
  'room',
  'garden',
  'park',
  'field',
  'forest',
  'hills',
  'lake',
  'beach',
  'street',
  'car',
  'clinic',
] as const

/** What the pet stands, sits or lies on. `deck` are planks over water, `table` a padded one. */
const grounds = [
  'floor',
  'rug',
  'blanket',
  'seat',
  'table',
  'grass',
  'leaves',
  'path',
  'pavement',
  'sand',
  'snow',
  'deck',
] as const

/** Things beside or behind the pet, each drawable as one simple shape. */
export const props = [
  ...['sofa', 'window', 'bed', 'bowl', 'box', 'books', 'laptop', 'fireplace', 'tub', 'vet_table'],
  ...['ball', 'frisbee', 'bone', 'yarn', 'fish', 'kite', 'friend', 'bird'],
  ...['flowers', 'leaf_pile', 'puddle', 'sprinkler', 'umbrella', 'snowman', 'sandcastle'],
  ...['car', 'boat', 'tent', 'campfire', 'skyline', 'garland'],
  ...['flag', 'fireworks', 'pumpkin', 'turkey_pie', 'tree_lights', 'wreath', 'gift', 'cake', 'balloons', 'rosette'],
] as const

/**
 * What a scene is drawn with where no image model paints it. Weather and season are those that the picture shows, seen
 * through a window where the place is indoors.
 */
export const Backdrop = Type.Object(
  {
    place: Type.Enum([...places]),
    season: Type.Enum(['spring', 'summer', 'autumn', 'winter']),
    weather: Type.Enum(['sun', 'cloud', 'rain', 'storm', 'snow', 'wind', 'fog', 'heat']),
    time_of_day: Type.Enum(['morning', 'day', 'evening', 'night']),
    ground: Type.Enum([...grounds]),
    props: Type.Array(Type.Enum([...props]), { maxItems: 3, uniqueItems: true }),
  },
  { additionalProperties: false },
)
export type Backdrop = Static<typeof Backdrop>
