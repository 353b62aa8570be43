import { scenePoses } from '../pet/poses/poses.js'
import { grounds } from './grounds/grounds.js'
import { outdoorLight, weatherLight } from './kit.js'
import { places } from './places/places.js'
import { props } from './props/props.js'
import { baseOf, type SceneSetting, type Season, type Staging } from './setting.js'

const seasons: Readonly<Record<Season, true>> = { spring: true, summer: true, autumn: true, winter: true }

/** Reads the backdrop of a scene. Unknown or missing words default to a sunny summer day in a room without props,
 * with the pet in the middle. */
export function readSetting(backdrop: Readonly<Record<string, unknown>>): SceneSetting {
  const place = wordOf(places, backdrop.place) ?? 'room'
  const named = Array.isArray(backdrop.props) ? backdrop.props : []
  return {
    place,
    season: wordOf(seasons, backdrop.season) ?? 'summer',
    weather: wordOf(weatherLight, backdrop.weather) ?? 'sun',
    time: wordOf(outdoorLight, backdrop.time_of_day) ?? 'day',
    ground: wordOf(grounds, backdrop.ground) ?? baseOf[place],
    props: [...new Set(named)].flatMap((word) => wordOf(props, word) ?? []),
    pet: readStaging(backdrop.pet),
  }
}

function readStaging(pet: unknown): Staging {
  const { pose, faces, x, scale } = typeof pet === 'object' && pet !== null ? (pet as Record<string, unknown>) : {}
  const posed = wordOf(scenePoses, pose)
  return {
    ...(posed && { pose: posed }),
    ...(faces === 'left' && { faces }),
    ...(isWithin(x, -160, 160) && { x }),
    ...(isWithin(scale, 0.6, 1.1) && { scale }),
  }
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

function wordOf<Word extends string>(table: Readonly<Record<Word, unknown>>, word: unknown): Word | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? (word as Word) : undefined
}
