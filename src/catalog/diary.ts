import { Compile, Errors } from 'typebox/schema'
import { SvcError } from '../errors.js'
import { isJsonObject } from '../insight/json-object.js'
import type { DiaryPrompts, DiaryPromptTexts } from '../media/diary-prompt.js'
import { type DiaryVersion, diaryVersions } from '../media/diary-versions.js'
import { lintLibrary } from '../media/lint-scenes.js'
import { poses, species } from '../media/poses.js'
import { SceneLibrary } from '../media/scenes.js'
import { shippedUrl } from '../runtime/entry.js'
import { readEach, readObject, readPromptText } from './catalog.js'

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
