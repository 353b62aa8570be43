import { Compile, Errors } from 'typebox/schema'
import { SvcError } from '../errors.js'
import { isJsonObject } from '../insight/json-object.js'
import { isDate } from '../media/dates.js'
import { type DiaryVersion, diaryVersions } from '../media/diary-versions.js'
import { poses, species } from '../media/poses.js'
import type { DiaryPrompts, DiaryPromptTexts } from '../media/prompts.js'
import { type Scene, SceneLibrary, sceneLocales } from '../media/scenes.js'
import { shippedUrl } from '../runtime/entry.js'
import { type Folder, readEach, readObject, readPromptText } from './catalog.js'

/**
 * Reads a version of the scene library from `catalog/diary/`, checked and frozen.
 * Throws an SvcError that names the file and every defect.
 */
export function readSceneLibrary(version: DiaryVersion, folder: Folder = shippedUrl('catalog/diary/')): SceneLibrary {
  const file = `${version}.json`
  const library = readObject(folder, file, 'diary/')
  // Compiling makes the check of a library five times as fast.
  const faults = Compile(SceneLibrary).Check(library) ? lintLibrary(library) : [describeFirst(library)]
  if (library.version !== version) faults.unshift(`version must be ${version}`)
  if (faults.length > 0) throw new SvcError('internal_error', `catalog/diary/${file}: ${faults.join('; ')}.`)
  return freeze(library as SceneLibrary)
}

/** Returns the first schema error: in a union, each branch reports its own. */
function describeFirst(library: unknown): string {
  const [, [fault]] = Errors(SceneLibrary, library)
  return `${fault?.instancePath || 'the file'} ${fault?.message ?? 'is not valid'}`
}

/**
 * Reads the prompts of every version from `catalog/prompts/diary.json`. Throws an SvcError that names the invalid
 * version and text.
 */
export function readDiaryPrompts(folder: Folder = shippedUrl('catalog/prompts/')): DiaryPrompts {
  const file = readObject(folder, 'diary.json', 'prompts/')
  const unknown = Object.keys(file).filter((name) => !diaryVersions.some((version) => version === name))
  if (unknown.length > 0) {
    throw new SvcError('internal_error', `catalog/prompts/diary.json: ${unknown.join(', ')} is not a known version.`)
  }
  const entries = diaryVersions.map((version) => [version, readVersion(version, file[version])] as const)
  return freeze(Object.fromEntries(entries) as Record<DiaryVersion, DiaryPromptTexts>)
}

function readVersion(version: DiaryVersion, value: unknown): DiaryPromptTexts {
  const entry = isJsonObject(value) ? value : {}
  const read = (text: unknown, name: string, placeholders: readonly string[]) =>
    readPromptText(text, `catalog/prompts/diary.json, ${version}, ${name}`, ['en-US'], placeholders)
  return {
    note: String(entry.note ?? ''),
    prompt: read(entry.prompt, 'prompt', ['species', 'scene', 'pose', 'breed']),
    species: readEach(entry, 'species', species, read),
    poses: readEach(entry, 'poses', poses, read),
    breed: read(entry.breed, 'breed', ['breed']),
    weather: read(entry.weather, 'weather', ['weather']),
  }
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) freeze(member)
    Object.freeze(value)
  }
  return value
}

/**
 * Returns the defects of a library that its schema cannot express, each with its scene: duplicate IDs and titles,
 * malformed texts, dates that do not exist, facts that belong to another category, and a backdrop that contradicts
 * the facts.
 */
function lintLibrary({ notes, scenes }: SceneLibrary): string[] {
  const ids = new Set(scenes.map(({ scene_id: id }) => id))
  return [
    ...findDuplicates(scenes.map(({ scene_id: id }) => id)).map((id) => `${id}: the scene ID occurs twice`),
    ...sceneLocales.flatMap((locale) =>
      findDuplicates(scenes.map(({ title }) => title[locale])).map(
        (title) => `two scenes have the ${locale} title ${title}`,
      ),
    ),
    ...[...notes.added, ...Object.keys(notes.changed)]
      .filter((id) => !ids.has(id))
      .map((id) => `notes: ${id} is not among the scenes`),
    ...Object.keys(notes.removed)
      .filter((id) => ids.has(id))
      .map((id) => `notes: ${id} is listed as removed but is still among the scenes`),
    ...scenes.flatMap((scene) =>
      [...lintTexts(scene), ...lintFacts(scene)].map((defect) => `${scene.scene_id}: ${defect}`),
    ),
  ]
}

function findDuplicates(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

const anyText: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a double space, a space at an end, or a line break', /\s\s|^\s|\s$|[^\S ]/],
  ['a placeholder or markup', /[{}<>[\]_*`]/],
  ['a straight quotation mark or apostrophe', /["']/],
]
const chineseText: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['half-width punctuation', /[,;:.!?()]/],
  ['a space', / /],
  ['no Chinese character', /^\P{Script=Han}*$/u],
]

function lintTexts({ title, description, prompt }: Scene): string[] {
  const rows = sceneLocales.flatMap((locale) => [
    { name: `title ${locale}`, text: title[locale], isSentence: false, locale },
    { name: `description ${locale}`, text: description[locale], isSentence: true, locale },
  ])
  return [...rows, { name: 'prompt', text: prompt, isSentence: true, locale: 'en-US' }].flatMap(
    ({ name, text, isSentence, locale }) => [
      ...[...anyText, ...(locale === 'zh-CN' ? chineseText : [])]
        .filter(([, pattern]) => pattern.test(text))
        .map(([what]) => `${name} has ${what}`),
      ...(/[.。!！]$/.test(text) === isSentence
        ? []
        : [`${name} must ${isSentence ? '' : 'not '}end with sentence punctuation`]),
    ],
  )
}

function lintFacts({ category, facts, date_rule: rule, backdrop }: Scene): string[] {
  const isOccasion = category !== 'common'
  // 2023 has no February 29: a scene on a day that only leap years have would have no date in other years.
  const isMissing =
    rule?.kind === 'fixed' &&
    !isDate(`2023-${String(rule.month).padStart(2, '0')}-${String(rule.day).padStart(2, '0')}`)
  const checks: readonly (readonly [defect: string, isWrong: boolean])[] = [
    ['a common scene has no holiday', !isOccasion && facts.holiday.length > 0],
    [`a scene of the category ${category} has exactly one holiday`, isOccasion && facts.holiday.length !== 1],
    [
      `a scene of the category ${category} ${hasDate(category) ? 'has a' : 'has no'} date_rule`,
      hasDate(category) !== (rule !== null),
    ],
    // A holiday comes in any weather: a scene bound to one weather would lose its own day to a scene that shows the
    // weather.
    ['a holiday has no weather and no season', isOccasion && facts.weather.length + facts.season.length > 0],
    ['date_rule names a day that does not occur every year', isMissing],
    ['the backdrop shows another weather than the facts', isOther(facts.weather, backdrop.weather)],
    ['the backdrop shows another season than the facts', isOther(facts.season, backdrop.season)],
    // Blossoms on a day in November strike everybody; the leaves of summer do not.
    ['a scene of any day is in spring', rule === null && facts.season.length === 0 && backdrop.season === 'spring'],
  ]
  return checks.filter(([, isWrong]) => isWrong).map(([defect]) => defect)
}

function hasDate(category: Scene['category']): boolean {
  return category === 'federal_holiday' || category === 'species_day'
}

function isOther(listed: readonly string[], shown: string): boolean {
  return listed.length > 0 && !listed.includes(shown)
}
