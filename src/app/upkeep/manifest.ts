import { createHash } from 'node:crypto'
import { createReadStream, type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from 'typebox'
import { Compile, Errors } from 'typebox/schema'
import { isObjectKey } from '../../adapters/objects/key.js'
import { configName } from '../../config.js'
import { SvcError } from '../../errors.js'

export const manifestName = 'manifest.json'
export const format = 'svc-snapshot-1'

const FileEntry = Type.Object({
  /** Relative to the snapshot's folder, with slashes. */
  path: Type.String(),
  size_bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
})

const Manifest = Type.Object({
  format: Type.Literal(format),
  /** Of the program that took the snapshot. */
  version: Type.String(),
  created_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  files: Type.Array(FileEntry),
  /** Object keys that the database names and whose files did not exist. */
  missing: Type.Array(Type.String()),
})

/** The content of `manifest.json` in a snapshot. */
export type Manifest = Static<typeof Manifest>
export type FileEntry = Static<typeof FileEntry>

/** The files of a data directory in a snapshot, in addition to the folder `objects`. */
export const databaseName = 'svc.db'
export const singleFiles = ['secret', 'local.key'] as const

/** Describes all files in a folder except the manifest, with sizes and hashes. */
export async function describeFiles(folder: string): Promise<FileEntry[]> {
  const entries: FileEntry[] = []
  for (const path of listFiles(folder).sort()) {
    if (path === manifestName) continue
    const file = join(folder, path)
    entries.push({ path, size_bytes: statSync(file).size, sha256: await hashFile(file) })
  }
  return entries
}

/** Reads the manifest and verifies all files of a snapshot. Throws `invalid_request` with the first defect. */
export async function verifySnapshot(folder: string, name: string): Promise<Manifest> {
  const manifest = readManifest(join(folder, manifestName), name)
  const stray = findStray(folder)
  if (stray !== undefined) {
    throw new SvcError('invalid_request', `${name} is damaged: ${stray} is not part of a snapshot.`)
  }
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
  throw new SvcError('invalid_request', `${name} is damaged: ${first}${others} is missing or was changed.`)
}

/** Reads and validates a manifest. Throws `invalid_request` with the first invalid field. */
export function readManifest(file: string, name: string): Manifest {
  const manifest = parseManifest(file, name)
  if (manifest?.format !== format) {
    throw new SvcError('invalid_request', `${name} is a snapshot of another version of svc: it has no ${format}.`)
  }
  // For a long list this is much faster than `Errors`.
  if (Compile(Manifest).Check(manifest)) return manifest as Manifest
  const [, [fault]] = Errors(Manifest, manifest)
  const where = `${fault?.instancePath} ${fault?.message}`.trim()
  throw new SvcError('invalid_request', `${name} is damaged: in its ${manifestName} ${where}.`)
}

function parseManifest(file: string, name: string): { readonly format?: unknown } | null {
  try {
    return JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : '')
  } catch (cause) {
    throw toInvalidSnapshot(name, cause)
  }
}

export function toInvalidSnapshot(name: string, cause?: unknown): SvcError {
  return new SvcError('invalid_request', `${name} is not a snapshot of svc, or is incomplete.`, { cause })
}

/** Finds a file or folder that does not belong to a snapshot: a restore could not overwrite it later. */
function findStray(folder: string): string | undefined {
  const files: readonly string[] = [manifestName, databaseName, configName, ...singleFiles]
  const isPart = (entry: Dirent) => (entry.isDirectory() ? entry.name === 'objects' : files.includes(entry.name))
  const stray = readdirSync(folder, { withFileTypes: true }).find((entry) => !isPart(entry))
  if (stray !== undefined) return stray.name
  const key = listFiles(join(folder, 'objects')).find((path) => !isObjectKey(path))
  return key === undefined ? undefined : `objects/${key}`
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
