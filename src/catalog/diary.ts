import { Compile, Errors } from 'typebox/schema'
import { SvcError } from '../errors.js'
import type { DiaryPrompts, DiaryPromptTexts } from '../media/diary-prompt.js'
import { type DiaryVersion, diaryVersions } from '../media/diary-versions.js'
import { lintLibrary } from '../media/lint-scenes.js'
import { poses, species } from '../media/poses.js'
import { SceneLibrary } from '../media/scenes.js'
import { shippedUrl } from '../runtime/entry.js'
import { readObject, readPromptText } from './catalog.js'

interface Folder {
  readonly href: string
}

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
  const entry = toObject(value)
  const read = (text: unknown, name: string, placeholders: readonly string[]) =>
    readPromptText(text, `catalog/prompts/diary.json, ${version}, ${name}`, ['en-US'], placeholders)
  const readEach = <K extends string>(group: string, keys: readonly K[]) => {
    const members = toObject(entry[group])
    return Object.fromEntries(keys.map((key) => [key, read(members[key], `${group}.${key}`, [])])) as Record<
      K,
      { 'en-US': string }
    >
  }
  return {
    note: String(entry.note ?? ''),
    prompt: read(entry.prompt, 'prompt', ['species', 'scene', 'pose', 'breed']),
    species: readEach('species', species),
    poses: readEach('poses', poses),
    breed: read(entry.breed, 'breed', ['breed']),
    weather: read(entry.weather, 'weather', ['weather']),
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) freeze(member)
    Object.freeze(value)
  }
  return value
}
