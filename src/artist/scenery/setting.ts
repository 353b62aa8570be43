import type { Backdrop } from '../../ports/backdrop.js'

export type Place = Backdrop['place']
export type Season = Backdrop['season']
export type Weather = Backdrop['weather']
export type TimeOfDay = Backdrop['time_of_day']
export type Ground = Backdrop['ground']

/** The setting of a scene, in words that can all be drawn. */
export interface SceneSetting {
  readonly place: Place
  readonly season: Season
  readonly weather: Weather
  readonly time: TimeOfDay
  readonly ground: Ground
  readonly props: readonly Prop[]
  readonly pet: Staging
}

/** The position of the pet in the picture, as in `Backdrop`. */
export type Staging = NonNullable<Backdrop['pet']>

/** The ground of each place, below everything else and by default. */
export const baseOf = {
  room: 'floor',
  clinic: 'floor',
  car: 'seat',
  garden: 'grass',
  park: 'grass',
  field: 'grass',
  forest: 'grass',
  hills: 'grass',
  lake: 'deck',
  beach: 'sand',
  street: 'pavement',
} as const satisfies Readonly<Record<Place, Ground>>

export type BaseGround = (typeof baseOf)[Place]

const indoorPlaces: readonly Place[] = ['room', 'clinic', 'car']

export const isIndoors = ({ place }: SceneSetting): boolean => indoorPlaces.includes(place)

export const isDark = ({ time }: SceneSetting): boolean => time === 'night' || time === 'evening'

/** True if snow covers everything, not only patches; snow that falls outside does not cover a room. */
export const isSnowy = (setting: SceneSetting): boolean =>
  setting.ground === 'snow' || (setting.weather === 'snow' && !isIndoors(setting))

/** Things next to the pet or in the background, each drawable as one simple shape. */
export const propNames = [
  ...['sofa', 'window', 'bed', 'bowl', 'box', 'books', 'laptop', 'fireplace', 'tub', 'vet_table'],
  ...['ball', 'frisbee', 'bone', 'yarn', 'fish', 'kite', 'friend', 'bird'],
  ...['flowers', 'leaf_pile', 'puddle', 'sprinkler', 'umbrella', 'snowman', 'sandcastle'],
  ...['car', 'boat', 'tent', 'campfire', 'skyline', 'garland'],
  ...['flag', 'fireworks', 'pumpkin', 'turkey_pie', 'tree_lights', 'wreath', 'gift', 'cake', 'balloons', 'rosette'],
] as const

export type Prop = (typeof propNames)[number]
