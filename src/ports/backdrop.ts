import { type Static, Type } from 'typebox'

/** Settings of a drawn scene. `clinic` is a vet's or a groomer's room, `car` the inside of a car. */
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

/** Surfaces under the pet. `deck` is planks over water, `table` a padded table. */
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

/** Poses that are drawn in place of the requested one: asleep and curled up for a lying pet, a play bow for a moving one. */
const scenePoses = ['asleep', 'curled', 'bow'] as const

/** The position of the pet, for scenes in which it is not in the middle, looking right. */
const Staging = Type.Object(
  {
    pose: Type.Optional(Type.Enum([...scenePoses])),
    faces: Type.Optional(Type.Literal('left')),
    /** Distance from the middle to the right, in pixels of a picture of 1024. */
    x: Type.Optional(Type.Integer({ minimum: -160, maximum: 160 })),
    scale: Type.Optional(Type.Number({ minimum: 0.6, maximum: 1.1 })),
  },
  { additionalProperties: false },
)

/**
 * The drawing instructions of a scene, for when no image model paints it. Indoors, weather and season are those seen through
 * a window.
 */
export const Backdrop = Type.Object(
  {
    place: Type.Enum([...places]),
    season: Type.Enum(['spring', 'summer', 'autumn', 'winter']),
    weather: Type.Enum(['sun', 'cloud', 'rain', 'storm', 'snow', 'wind', 'fog', 'heat']),
    time_of_day: Type.Enum(['morning', 'day', 'evening', 'night']),
    ground: Type.Enum([...grounds]),
    props: Type.Array(Type.String({ pattern: '^[a-z]+(_[a-z]+)*$' }), {
      maxItems: 3,
      uniqueItems: true,
      description: 'Things of the scene. Those that cannot be drawn are left out.',
    }),
    pet: Type.Optional(Staging),
  },
  { additionalProperties: false },
)
export type Backdrop = Static<typeof Backdrop>
