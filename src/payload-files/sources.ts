import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { reasonOf } from '../runtime/reason.js'
import { findAt } from '../text/json-location.js'

/** A file or standard input. `name` is its name in reports; `listed` is true if it comes from a folder or pattern. */
export interface Source {
  readonly name: string
  /** undefined: standard input. */
  readonly path?: string
  readonly listed: boolean
}

/** A source, or the sentence that explains why an argument gives no source. */
export type SourceOrProblem =
  | { readonly source: Source; readonly problem?: undefined }
  | { readonly source?: undefined; readonly problem: string }

export const stdinName = 'stdin'
const payloadFile = /\.(json|ndjson|jsonl)$/i

/**
 * Finds the sources that the arguments of a command name, each once, in the order given. The files of a folder and the
 * matches of a pattern are sorted by name, without an index of invalid payloads. An argument that matches nothing gives a problem in its place.
 */
export async function findSources(args: readonly string[]): Promise<SourceOrProblem[]> {
  const seen = new Set<string>()
  const found: SourceOrProblem[] = []
  for (const arg of args) {
    for (const one of await findArgument(arg)) {
      if (one.source !== undefined && seen.has(one.source.name)) continue
      if (one.source !== undefined) seen.add(one.source.name)
      found.push(one)
    }
  }
  return found
}

async function findArgument(arg: string): Promise<SourceOrProblem[]> {
  if (arg === '-') return [{ source: { name: stdinName, listed: false } }]
  if (findStats(arg)?.isDirectory()) return findInFolder(arg)
  if (!isPattern(arg)) return [{ source: { name: arg, path: arg, listed: false } }]
  // Loaded only for patterns.
  const { glob } = await import('tinyglobby')
  const options = { absolute: isAbsolute(arg), expandDirectories: false, followSymbolicLinks: false }
  const isMeant = (path: string) => arg.includes('node_modules') || !path.includes('node_modules/')
  const matches = (await glob(arg, options)).filter((path) => isMeant(path) && !isIndex(path)).sort()
  if (matches.length === 0)
    return [{ problem: `${arg}: no file matches this pattern. Check it, and quote it in a shell.` }]
  return matches.map((path) => ({ source: { name: path, path, listed: true } }))
}

const patternCharacters = /[*?[\]{}!]/

/** True if an argument is a pattern and not the name of an existing file. */
export function isPattern(arg: string): boolean {
  return patternCharacters.test(arg) && findStats(arg) === undefined
}

/** Returns the folder before the first wildcard of a pattern, and whether the pattern reaches into subfolders. */
export function toPatternFolder(pattern: string): { readonly folder: string; readonly recursive: boolean } {
  const parts = pattern.split('/')
  const fixed = parts.findIndex((part) => patternCharacters.test(part))
  const folder = parts.slice(0, fixed).join('/')
  return { folder: folder || (pattern.startsWith('/') ? '/' : '.'), recursive: fixed < parts.length - 1 }
}

/** Returns the stats of a path; undefined if it does not exist or cannot be read. */
export function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // The read that follows reports an unreadable path with its reason.
    return undefined
  }
}

function findInFolder(folder: string): SourceOrProblem[] {
  try {
    const paths = listFiles(folder).filter((path) => !isIndex(path))
    if (paths.length > 0) return paths.map((path) => ({ source: { name: path, path, listed: true } }))
    return [{ problem: `${folder}: the folder holds no .json, .ndjson or .jsonl file.` }]
  } catch (cause) {
    return [{ problem: `${folder}: the folder cannot be read (${reasonOf(cause)}).` }]
  }
}

/** Skips hidden entries and `node_modules`. Does not follow links to folders, so that a cycle cannot hang. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return listFiles(path)
      const isFile = entry.isFile() || (entry.isSymbolicLink() && findStats(path)?.isFile())
      return isFile && payloadFile.test(entry.name) ? [path] : []
    })
}

/** True for an index of invalid payloads, like that of `fixtures/invalid`: its rows name a file, a rule and a path. */
function isIndex(path: string): boolean {
  if (basename(path) !== 'index.json' || (findStats(path)?.size ?? 0) > indexBytesAtMost) return false
  try {
    const rows: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const isRow = (row: unknown) =>
      ['file', 'rule', 'path'].every((name) => typeof findAt(row, `/${name}`) === 'string')
    return Array.isArray(rows) && rows.length > 0 && rows.every(isRow)
  } catch {
    // The check that follows reports a file that cannot be read or is not JSON.
    return false
  }
}

/** The index of all rules has about 10 kB; a larger file is not read. */
const indexBytesAtMost = 1 << 20
