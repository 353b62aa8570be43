import { type Static, Type } from 'typebox'
import { Backdrop } from '../ports/backdrop.js'
import { DateRule } from './dates.js'
import { defaultDiaryVersion, diaryVersions } from './diary-versions.js'
import { poses, type Species, species } from './poses.js'
import { type FactName, findWord, listWords } from './vocabulary.js'

/** Source: gateway contract, 2.8. */
const sceneSpecies = ['all', ...species] as const
export const sceneCategories = ['common', 'federal_holiday', 'personal', 'species_day'] as const

/** Languages of a scene's title and description. */
export const sceneLocales = ['zh-CN', 'en-US', 'es'] as const

const strict = { additionalProperties: false } as const
const text = Type.String({ minLength: 1, maxLength: 600 })
const localized = Type.Object({ 'zh-CN': text, 'en-US': text, es: text }, strict)
const words = <N extends FactName>(name: N) => Type.Array(Type.Enum([...listWords(name)]), { uniqueItems: true })

/**
 * A scene of a library, as in its file. An empty list of facts fits any day.
 * @NOTE contract: of the record only the enumerations of 2.8 are shown.
 */
export const Scene = Type.Object(
  {
    scene_id: Type.String({ pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$', description: 'The same in every version.' }),
    species: Type.Enum([...sceneSpecies]),
    category: Type.Enum([...sceneCategories]),
    recommended_pose: Type.Enum([...poses]),
    title: localized,
    description: localized,
    facts: Type.Object(
      {
        season: words('season'),
        weather: words('weather'),
        location: words('location'),
        activity: words('activity'),
        mood: words('mood'),
        holiday: words('holiday'),
      },
      strict,
    ),
    date_rule: Type.Union([DateRule, Type.Null()]),
    prompt: Type.String({
      minLength: 1,
      maxLength: 600,
      description: 'The scene in English, without the pet, which the prompt version describes.',
    }),
    backdrop: Backdrop,
  },
  strict,
)
export type Scene = Static<typeof Scene>

const reasons = Type.Record(Type.String(), text, { description: 'Reasons by scene ID.' })

/** A version of the library: a file of `catalog/diary/`. */
export const SceneLibrary = Type.Object(
  {
    version: Type.Enum([...diaryVersions]),
    released: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    notes: Type.Object(
      { why: text, added: Type.Array(Type.String(), { uniqueItems: true }), removed: reasons, changed: reasons },
      { ...strict, description: 'Changes since the previous version.' },
    ),
    scenes: Type.Array(Scene, { minItems: 1 }),
  },
  strict,
)
export type SceneLibrary = Static<typeof SceneLibrary>

/** True if the scene is for pets of this species. Source: gateway contract, 4.12. */
export function fitsSpecies(scene: Pick<Scene, 'species'>, pet: Species): boolean {
  return scene.species === 'all' || scene.species === pet
}

/**
 * Returns the weather of a day as a picture of the scene shows it; undefined for a scene that has its own weather, and for
 * unknown words.
 */
export function findShownWeather({ facts }: Pick<Scene, 'facts'>, day: string | null): string | undefined {
  return day === null || facts.weather.length > 0 ? undefined : findWord('weather', day)
}

/**
 * Presents a library to callers who choose scenes, without the members used for matching and painting.
 * @NOTE contract: the answer is not shown. Source: gateway contract, 4.15.
 */
export function presentLibrary({ version, scenes }: Pick<SceneLibrary, 'version' | 'scenes'>) {
  return {
    version,
    default_version: defaultDiaryVersion,
    versions: [...diaryVersions],
    total: scenes.length,
    scenes: scenes.map(({ facts: _, prompt: __, backdrop: ___, scene_id, ...shown }) => ({
      scene_id,
      version,
      ...shown,
    })),
  }
}
