import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SvcError } from '../../errors.js'

/** What a snapshot says of itself: the file `manifest.json` in it. */
export interface Manifest {
  readonly format: 'svc-snapshot-1'
  /** Of the program that made it. */
  readonly version: string
  readonly created_at: string
  readonly files: readonly FileEntry[]
  /** Stored files that the database names and that were not there. */
  readonly missing: readonly string[]
}

export interface FileEntry {
  /** Below the snapshot's folder, with slashes. */
  readonly path: string
  readonly size_bytes: number
  readonly sha256: string
}

export const manifestName = 'manifest.json'
export const format = 'svc-snapshot-1'

/** What a snapshot holds of a data directory. */
export const databaseName = 'svc.db'
export const singleFiles = ['secret', 'local.key'] as const

/** All files below a folder but for the manifest, with sizes and hashes. */
export async function describeFiles(folder: string): Promise<FileEntry[]> {
  const entries: FileEntry[] = []
  for (const path of listFiles(folder).sort()) {
    if (path === manifestName) continue
    const file = join(folder, path)
    entries.push({ path, size_bytes: statSync(file).size, sha256: await hashFile(file) })
  }
  return entries
}

/** The manifest of a snapshot whose files are all there, as they were. Throws `invalid_request` with what is wrong. */
export async function verifySnapshot(folder: string, name: string): Promise<Manifest> {
  const manifest = readManifest(join(folder, manifestName), name)
  const expected = new Map(manifest.files.map((entry) => [entry.path, entry]))
  const found = await describeFiles(folder)
  const wrong = found
    .filter(({ path, sha256, size_bytes }) => {
      const entry = expected.get(path)
      return entry?.sha256 !== sha256 || entry.size_bytes !== size_bytes
    })
    .map(({ path }) => path)
  const paths = new Set(found.map(({ path }) => path))
  const faults = [...wrong, ...manifest.files.flatMap(({ path }) => (paths.has(path) ? [] : [path]))]
  if (faults.length === 0 && paths.has(databaseName)) return manifest
  const [first = databaseName] = faults
  const others = faults.length > 1 ? ` and ${faults.length - 1} more` : ''
  throw new SvcError('invalid_request', `${name} is damaged: ${first}${others} is missing or not as it was stored.`)
}

function readManifest(file: string, name: string): Manifest {
  try {
    const manifest = JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : '')
    if (manifest.format === format && Array.isArray(manifest.files)) return manifest
  } catch (cause) {
    throw new SvcError('invalid_request', `${name} is not a snapshot of svc, or not a whole one.`, { cause })
  }
  throw new SvcError('invalid_request', `${name} is a snapshot of another version of svc: it has no ${format}.`)
}

function listFiles(folder: string, below = ''): string[] {
  if (!existsSync(join(folder, below))) return []
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    return entry.isDirectory() ? listFiles(folder, path) : [path]
  })
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
