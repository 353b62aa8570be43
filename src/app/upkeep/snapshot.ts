import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { iterateStoredFiles } from '../../adapters/objects/inventory.js'
import { copyDatabase } from '../../adapters/sql/upkeep/copy.js'
import { inspectDatabase } from '../../adapters/sql/upkeep/inspect.js'
import { configName } from '../../config.js'
import { type DataDir, openPart } from '../../data-dir.js'
import { SvcError } from '../../errors.js'
import { version } from '../../version.js'
import { isArchive, writeArchive, writeFolder } from './archive.js'
import { listOldLeftovers, snapshotDraftPrefix } from './leftovers.js'
import { databaseName, describeFiles, format, type Manifest, manifestName, singleFiles } from './manifest.js'

export interface SnapshotReport {
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly size_bytes: number
  readonly database_bytes: number
  readonly objects: number
  readonly object_bytes: number
  /** Stored files that the database names and that are not there. */
  readonly missing: readonly string[]
}

/**
 * Copies a data directory, also while a server runs on it, into a new folder or, by the ending of its name, an archive: the
 * database as it is at one moment, each stored file that it names, the secret, the key that is kept and the operator's
 * file. The target gets its name when it is whole. Throws `conflict` where it is there already and `force` does not say to
 * replace it, and `unavailable` with what the machine refused: a part of the folder, or the target.
 */
export async function takeSnapshot(dataDir: DataDir, target: string, force: boolean): Promise<SnapshotReport> {
  const path = resolve(target)
  await openPart(target, () => requireFree(dataDir, path, target, force))
  const draft = join(dataDir.path, `${snapshotDraftPrefix}${process.pid}`)
  await openPart(dataDir.path, () => makeDraft(dataDir, draft))
  try {
    const missing = await collect(dataDir, draft)
    const files = await describeFiles(draft)
    const manifest: Manifest = { format, version, created_at: new Date().toISOString(), files, missing }
    writeFileSync(join(draft, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 })
    const sizeBytes = await openPart(target, () =>
      isArchive(path) ? writeArchive(draft, path) : writeFolder(draft, path),
    )
    const sum = (entries: Manifest['files']) => entries.reduce((total, { size_bytes }) => total + size_bytes, 0)
    const objects = files.filter(({ path: name }) => name.startsWith('objects/'))
    return {
      path,
      kind: isArchive(path) ? 'file' : 'folder',
      size_bytes: sizeBytes,
      database_bytes: sum(files.filter(({ path: name }) => name === databaseName)),
      objects: objects.length,
      object_bytes: sum(objects),
      missing,
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function requireFree(dataDir: DataDir, path: string, name: string, force: boolean): void {
  const inside = relative(resolve(dataDir.path), path)
  if (inside === '' || !(inside.startsWith('..') || inside.startsWith(sep) || resolve(inside) === inside)) {
    throw new SvcError('invalid_request', `${name} lies in the data directory; name a place outside of it.`)
  }
  if (!existsSync(dirname(path))) {
    throw new SvcError('invalid_request', `${name} cannot be written: there is no folder ${dirname(path)}.`)
  }
  const found = statSync(path, { throwIfNoEntry: false })
  const isTaken = found !== undefined && !(found.isDirectory() && readdirSync(path).length === 0)
  if (isTaken && !force) {
    throw new SvcError('conflict', `${name} is there already: name another place, or replace it with --force.`)
  }
  if (isTaken && found.isDirectory() && (isArchive(path) || !existsSync(join(path, manifestName)))) {
    throw new SvcError('conflict', `${name} is a folder, and no snapshot; it is not replaced. Name a new one in it.`)
  }
}

/**
 * Gathers in `draft` what a snapshot holds; answers the files that are missing. Stored files are linked before the database
 * is copied, and those that came meanwhile after that: so none that it names has been deleted in between.
 */
async function collect(dataDir: DataDir, draft: string): Promise<string[]> {
  const linked = new Set<string>()
  const place = (key: string) => join(draft, 'objects', key)
  const link = (key: string) => {
    mkdirSync(dirname(place(key)), { recursive: true, mode: 0o700 })
    if (linkOrCopy(join(dataDir.objects, key), place(key))) linked.add(key)
  }
  mkdirSync(join(draft, 'objects'), { mode: 0o700 })
  await openPart(dataDir.objects, () => {
    for (const { key } of iterateStoredFiles(dataDir.objects)) link(key)
  })
  for (const name of [...singleFiles, configName]) {
    const file = join(dataDir.path, name)
    const isThere = await openPart(file, () => copyIfThere(file, join(draft, name)))
    if (isThere) chmodSync(join(draft, name), 0o600)
  }
  await openPart(dataDir.database, () => copyDatabase(dataDir.database, join(draft, databaseName)))
  const needed = new Set<string>()
  const database = inspectDatabase(join(draft, databaseName), Date.now())
  try {
    database.forEachNamedObject((key) => needed.add(key))
  } finally {
    database.close()
  }
  for (const key of needed) if (!linked.has(key)) link(key)
  for (const key of linked) if (!needed.has(key)) rmSync(place(key))
  return [...needed].filter((key) => !linked.has(key)).sort()
}

/** A second name for a file, which costs nothing, or a copy where the disk knows no such thing. False if it is not there. */
function linkOrCopy(file: string, target: string): boolean {
  try {
    linkSync(file, target)
    return true
  } catch {
    // Some disks have no links; what is not there cannot be copied either.
    return copyIfThere(file, target)
  }
}

function copyIfThere(file: string, target: string): boolean {
  try {
    copyFileSync(file, target)
    return true
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

function makeDraft(dataDir: DataDir, draft: string): void {
  deleteOldDrafts(dataDir)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
}

function deleteOldDrafts(dataDir: DataDir): void {
  const isDraft = (path: string) => basename(path).startsWith(snapshotDraftPrefix)
  for (const draft of listOldLeftovers(dataDir, Date.now()).filter(isDraft))
    rmSync(draft, { recursive: true, force: true })
}
