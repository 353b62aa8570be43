import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from './reason.js'

/** One thing to read. `name` is what reports call it; `listed` says that it came out of a folder. */
export interface Source {
  readonly name: string
  /** undefined: standard input. */
  readonly path?: string
  readonly listed: boolean
}

/** A source, or a sentence that says why an argument gives none. */
export type Found =
  | { readonly source: Source; readonly problem?: undefined }
  | { readonly source?: undefined; readonly problem: string }

export const stdinName = 'stdin'
const payloadFile = /\.(json|ndjson|jsonl)$/i

/**
 * The sources that the arguments of a command name, each once, in the order given; a folder's files and a pattern's
 * matches are sorted by name. An argument that names nothing gives a problem in its place.
 */
export async function findSources(args: readonly string[]): Promise<Found[]> {
  const seen = new Set<string>()
  const found: Found[] = []
  for (const arg of args) {
    for (const one of await findArgument(arg)) {
      if (one.source !== undefined && seen.has(one.source.name)) continue
      if (one.source !== undefined) seen.add(one.source.name)
      found.push(one)
    }
  }
  return found
}

async function findArgument(arg: string): Promise<Found[]> {
  if (arg === '-') return [{ source: { name: stdinName, listed: false } }]
  if (findStats(arg)?.isDirectory()) return findInFolder(arg)
  if (!isPattern(arg)) return [{ source: { name: arg, path: arg, listed: false } }]
  const { listMatches } = await import('./pattern.js')
  const matches = await listMatches(arg)
  if (matches.length === 0)
    return [{ problem: `${arg}: no file matches this pattern. Check it, and quote it in a shell.` }]
  return matches.map((path) => ({ source: { name: path, path, listed: true } }))
}

const patternCharacters = /[*?[\]{}!]/

/** Whether an argument is a pattern of names; the name of a file that is there is none. */
export function isPattern(arg: string): boolean {
  return patternCharacters.test(arg) && findStats(arg) === undefined
}

/** Where all that a pattern matches lies: the folder before its first wildcard, and whether also the folders in that count. */
export function toPatternFolder(pattern: string): { readonly folder: string; readonly recursive: boolean } {
  const parts = pattern.split('/')
  const fixed = parts.findIndex((part) => patternCharacters.test(part))
  const folder = parts.slice(0, fixed).join('/')
  return { folder: folder || (pattern.startsWith('/') ? '/' : '.'), recursive: fixed < parts.length - 1 }
}

/** What is there; undefined also where that cannot be told. */
export function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // An unreadable path is told apart, with its reason, by the read that follows.
    return undefined
  }
}

function findInFolder(folder: string): Found[] {
  try {
    const paths = listFiles(folder)
    if (paths.length > 0) return paths.map((path) => ({ source: { name: path, path, listed: true } }))
    return [{ problem: `${folder}: the folder holds no .json, .ndjson or .jsonl file.` }]
  } catch (cause) {
    return [{ problem: `${folder}: the folder cannot be read (${reasonOf(cause)}).` }]
  }
}

/** Hidden entries and `node_modules` are left out; a link to a folder is not followed, so that a cycle cannot hang. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return listFiles(path)
      const file = entry.isFile() || (entry.isSymbolicLink() && findStats(path)?.isFile())
      return file && payloadFile.test(entry.name) ? [path] : []
    })
}
