import type { Backdrop } from '../../ports/backdrop.js'
import type { Prop } from './props/prop-names.js'

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
