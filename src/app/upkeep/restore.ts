import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { configName } from '../../config.js'
import { isSvcError, SvcError } from '../../errors.js'
import { createDataDir, type DataDir, withPathInError } from '../../runtime/data-dir.js'
import { syncToDisk, syncTree, writeDurably } from '../../runtime/sync-to-disk.js'
import { version } from '../../runtime/version.js'
import { unpack } from './archive.js'
import { withDatabase } from './examine.js'
import { requireExclusiveLock, withExclusiveLock } from './exclusive-lock.js'
import {
  databaseName,
  format,
  type Manifest,
  manifestName,
  readManifest,
  singleFiles,
  verifySnapshot,
} from './manifest.js'
import { isLeftover, restoreDraftName, trashName } from './snapshot-leftovers.js'

export interface RestoreReport {
  readonly data_dir: string
  /** The time of the snapshot. */
  readonly created_at: string
  readonly objects: number
  readonly size_bytes: number
  /** True if existing files were replaced. */
  readonly replaced: boolean
  /** The origin of `svc.config.json`: restored from the snapshot, kept from before, or absent. */
  readonly config: 'restored' | 'kept' | 'none'
  readonly missing: readonly string[]
}

/**
 * Restores a snapshot into a data directory. Keeps the log and an existing operator's file. Unpacks and verifies the
 * snapshot before it changes any file. A killed process has changed nothing, or leaves a marker, with which all others
 * refuse the folder until `finishRestore`. Throws `conflict` if the folder is in use, or is not empty without `force`.
 */
export async function restoreSnapshot(
  dataDir: DataDir,
  snapshot: string,
  name: string,
  force: boolean,
): Promise<RestoreReport> {
  const { path, restore } = dataDir
  if (force && existsSync(restore)) withExclusiveLock(dataDir, () => finishRestore(dataDir))
  createDataDir(path)
  if (!force) requireEmpty(path, [])
  const hold = requireExclusiveLock(dataDir)
  const draft = join(path, restoreDraftName)
  const database = hold.isEmpty ? [] : [databaseName]
  try {
    if (!force) requireEmpty(path, database)
    rmSync(draft, { recursive: true, force: true })
    await unpack(snapshot, name, draft)
    const manifest = await verifySnapshot(draft, name)
    verifyDatabase(join(draft, databaseName), name)
    // Unpacking takes time, and other programs may replace the files without asking for the lock.
    if (!hold.isCurrent()) throw new SvcError('conflict', `${path} was changed meanwhile; nothing was restored.`)
    if (!force) requireEmpty(path, database)
    const replaced = listContents(path, database).length > 0
    const isConfigured = existsSync(join(path, configName))
    syncTree(draft)
    // From here on the restore cannot be undone, only finished.
    renameSync(draft, restore)
    finishRestore(dataDir)
    return toReport(dataDir, manifest, replaced, isConfigured)
  } catch (error) {
    // Not in `finally`: after a finished restore, the draft may belong to the next one.
    rmSync(draft, { recursive: true, force: true })
    throw error
  } finally {
    hold.release()
  }
}

/**
 * Finishes an interrupted restore, whose verified files are in the folder. The caller holds the exclusive lock. Returns true
 * if there was one. Throws `unavailable` with the reason of a system error, and `invalid_request` if the files are not a
 * snapshot.
 */
export function finishRestore(dataDir: DataDir): boolean {
  if (!existsSync(dataDir.restore)) return false
  withPathInError(dataDir.path, () => putInPlace(dataDir))
  return true
}

/** Tells what was interrupted in a data directory and must be finished. A reset is the restore of an empty snapshot. */
export function findInterrupted({ restore }: DataDir): 'restore' | 'reset' | undefined {
  if (!existsSync(restore)) return undefined
  try {
    return readManifest(join(restore, manifestName), restore).files.length === 0 ? 'reset' : 'restore'
  } catch (error) {
    // An unreadable manifest is not from a reset, which writes it atomically.
    if (!isSvcError(error)) throw error
    return 'restore'
  }
}

function putInPlace(dataDir: DataDir): void {
  const { restore, path } = dataDir
  // After a power loss the marker must exist if any file was moved.
  for (const folder of [restore, path]) syncToDisk(folder)
  const { files } = readManifest(join(restore, manifestName), restore)
  // An earlier attempt may have moved some files into place already.
  const isLeft = (name: string) => existsSync(join(restore, name))
  const trash = join(path, trashName)
  if (!files.some((file) => file.path.startsWith('objects/'))) {
    rmSync(dataDir.objects, { recursive: true, force: true })
  } else if (isLeft('objects')) {
    rmSync(trash, { recursive: true, force: true })
    if (existsSync(dataDir.objects)) renameSync(dataDir.objects, trash)
    renameSync(join(restore, 'objects'), dataDir.objects)
  }
  for (const folder of [dataDir.workers, dataDir.servers]) rmSync(folder, { recursive: true, force: true })
  for (const journal of dataDir.journals) rmSync(journal, { force: true })
  for (const name of [...singleFiles, databaseName]) {
    const place = join(path, name)
    if (!files.some((file) => file.path === name)) rmSync(place, { recursive: true, force: true })
    else if (isLeft(name)) {
      // `rename` cannot replace a folder with a file.
      if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) rmSync(place, { recursive: true })
      renameSync(join(restore, name), place)
    }
  }
  const isConfigured = existsSync(join(path, configName))
  if (!isConfigured && isLeft(configName) && files.some((file) => file.path === configName)) {
    renameSync(join(restore, configName), join(path, configName))
  }
  // Removes the marker atomically, when all files are in place. Deleting its remains may take longer.
  const rest = join(path, `${restoreDraftName}-done`)
  rmSync(rest, { recursive: true, force: true })
  syncToDisk(path)
  renameSync(restore, rest)
  syncToDisk(path)
  for (const folder of [rest, trash]) rmSync(folder, { recursive: true, force: true })
}

/** Prepares the restore of an empty snapshot for `finishRestore`, also in place of an interrupted restore. */
export function markEmptied({ path, restore }: DataDir): void {
  const draft = join(path, restoreDraftName)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  const manifest: Manifest = { format, version, created_at: new Date().toISOString(), files: [], missing: [] }
  writeDurably(join(draft, manifestName), JSON.stringify(manifest))
  if (existsSync(restore)) renameSync(join(draft, manifestName), join(restore, manifestName))
  else renameSync(draft, restore)
  rmSync(draft, { recursive: true, force: true })
}

function requireEmpty(path: string, database: readonly string[]): void {
  if (listContents(path, database).length === 0) return
  throw new SvcError('conflict', `${path} is not empty: name another folder, or replace it with --force.`)
}

/** Lists the contents that make a folder count as not empty: without `lost+found` and the leftovers of killed processes. */
function listContents(folder: string, database: readonly string[]): string[] {
  // Only the holder of the lock knows whether the database is empty, so the caller passes it.
  const isOther = (name: string) => name !== databaseName && name !== 'lost+found' && !isLeftover(name)
  return [...database, ...readdirSync(folder).filter(isOther)]
}

function verifyDatabase(file: string, name: string): void {
  withDatabase(file, ({ faults: [fault], isTooNew }) => {
    if (fault !== undefined) throw new SvcError('invalid_request', `The database in ${name} is damaged: ${fault}.`)
    if (isTooNew) {
      throw new SvcError('invalid_request', `${name} was taken by a newer version of svc. Install that one first.`)
    }
  })
}

function toReport(
  dataDir: DataDir,
  { files, created_at, missing }: Manifest,
  replaced: boolean,
  isConfigured: boolean,
): RestoreReport {
  const hasConfig = files.some(({ path }) => path === configName)
  return {
    data_dir: dataDir.path,
    created_at,
    objects: files.filter(({ path }) => path.startsWith('objects/')).length,
    size_bytes: files.reduce((total, { size_bytes }) => total + size_bytes, 0),
    replaced,
    config: isConfigured ? 'kept' : hasConfig ? 'restored' : 'none',
    missing,
  }
}
