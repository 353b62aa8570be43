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
import { openSqliteUpkeep } from '../../adapters/sql/sqlite/upkeep-database.js'
import { copyDatabase } from '../../adapters/sql/upkeep/copy.js'
import { iterateNamedObjects } from '../../adapters/sql/upkeep/named-objects.js'
import { configName } from '../../config.js'
import { SvcError } from '../../errors.js'
import { type DataDir, openPart } from '../../runtime/data-dir.js'
import { version } from '../../runtime/version.js'
import { isArchive, writeArchive, writeFolder } from './archive.js'
import { databaseName, describeFiles, format, type Manifest, manifestName, singleFiles } from './manifest.js'
import { listOldLeftovers, snapshotDraftPrefix } from './snapshot-leftovers.js'

export interface SnapshotReport {
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly size_bytes: number
  readonly database_bytes: number
  readonly objects: number
  readonly object_bytes: number
  /** Object keys that the database names and whose files do not exist. */
  readonly missing: readonly string[]
}

/**
 * Copies a data directory, even while a server uses it, into a new folder or, depending on the name's extension, an archive:
 * a consistent copy of the database, the stored files that it names, the secret, the local key and the operator's file. The
 * target gets its name when it is complete. Throws `conflict` if the target exists and `force` is false, and `unavailable`
 * with the path and reason of a system error.
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
    throw new SvcError('invalid_request', `${name} is inside the data directory; name a path outside of it.`)
  }
  if (!existsSync(dirname(path))) {
    throw new SvcError('invalid_request', `${name} cannot be written: the folder ${dirname(path)} does not exist.`)
  }
  const found = statSync(path, { throwIfNoEntry: false })
  const isTaken = found !== undefined && !(found.isDirectory() && readdirSync(path).length === 0)
  if (isTaken && !force) {
    throw new SvcError('conflict', `${name} already exists: name another path, or replace it with --force.`)
  }
  if (isTaken && found.isDirectory() && (isArchive(path) || !existsSync(join(path, manifestName)))) {
    throw new SvcError(
      'conflict',
      `${name} is a folder but not a snapshot, so it is not replaced. Name a new path in it.`,
    )
  }
}

/**
 * Collects the files of a snapshot in `draft`. Returns the object keys whose files are missing. Links stored files before it
 * copies the database, and newer ones after that, so a file that the copy names cannot be deleted in between.
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
  const copy = openSqliteUpkeep(join(draft, databaseName), { readonly: true })
  for await (const key of iterateNamedObjects(copy)) needed.add(key)
  await copy.close()
  for (const key of needed) if (!linked.has(key)) link(key)
  for (const key of linked) if (!needed.has(key)) rmSync(place(key))
  return [...needed].filter((key) => !linked.has(key)).sort()
}

/** Hard-links a file, or copies it if the disk has no links. Returns false if the file does not exist. */
function linkOrCopy(file: string, target: string): boolean {
  try {
    linkSync(file, target)
    return true
  } catch {
    // Some disks have no links; a missing file cannot be copied either.
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
