import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspectDatabase } from '../../adapters/sql/upkeep/inspect.js'
import { configName } from '../../config.js'
import { createDataDir, type DataDir, explain } from '../../data-dir.js'
import { isSvcError, SvcError } from '../../errors.js'
import { version } from '../../version.js'
import { requireAlone } from './alone.js'
import { unpack } from './archive.js'
import { isLeftover, restoreDraftName, trashName } from './leftovers.js'
import {
  databaseName,
  format,
  type Manifest,
  manifestName,
  readManifest,
  singleFiles,
  verifySnapshot,
} from './manifest.js'

export interface RestoreReport {
  readonly data_dir: string
  /** When the snapshot was taken. */
  readonly created_at: string
  readonly objects: number
  readonly size_bytes: number
  /** Whether something was there and is gone now. */
  readonly replaced: boolean
  /** Whose `svc.config.json` is there now: that of the snapshot, or the one that was there before. */
  readonly config: 'restored' | 'kept' | 'none'
  readonly missing: readonly string[]
}

/**
 * Puts what a snapshot holds into a data directory; the log stays, and an operator's file that is there. It is unpacked and
 * verified beside what is there, which is touched only then. A process that is killed has changed nothing, or leaves a mark
 * by which all others refuse the folder until `finishRestore`. Throws `conflict` where the folder is not empty and `force`
 * does not say to replace it, or is in use.
 */
export async function restoreSnapshot(
  dataDir: DataDir,
  snapshot: string,
  name: string,
  force: boolean,
): Promise<RestoreReport> {
  const { path, restore } = dataDir
  if (force && existsSync(restore)) finishAlone(dataDir)
  createDataDir(path)
  if (!force) requireEmpty(path, [])
  const hold = requireAlone(dataDir)
  const draft = join(path, restoreDraftName)
  const database = hold.isEmpty ? [] : [databaseName]
  try {
    if (!force) requireEmpty(path, database)
    rmSync(draft, { recursive: true, force: true })
    await unpack(snapshot, name, draft)
    const manifest = await verifySnapshot(draft, name)
    verifyDatabase(join(draft, databaseName), name)
    // Unpacking takes a while, and not everything asks for the lock.
    if (!hold.isStanding()) throw new SvcError('conflict', `${path} was changed meanwhile; nothing was restored.`)
    if (!force) requireEmpty(path, database)
    const replaced = listContents(path, database).length > 0
    const isConfigured = existsSync(join(path, configName))
    // From here on it can only be finished.
    renameSync(draft, restore)
    finishRestore(dataDir)
    return toReport(dataDir, manifest, replaced, isConfigured)
  } catch (error) {
    // Only then: once it is finished, the next one may be unpacking.
    rmSync(draft, { recursive: true, force: true })
    throw error
  } finally {
    hold.release()
  }
}

/**
 * Puts in place what lies verified in the folder; the caller keeps all others off it. Answers whether there was anything.
 * Throws `unavailable` with the reason where the machine refuses, and `invalid_request` where what lies there is no snapshot.
 */
export function finishRestore(dataDir: DataDir): boolean {
  if (!existsSync(dataDir.restore)) return false
  explain(dataDir.path, () => putInPlace(dataDir))
  return true
}

/** What was cut short here and is to be finished; a reset is one of a snapshot that holds nothing. */
export function findCutShort({ restore }: DataDir): 'restore' | 'reset' | undefined {
  if (!existsSync(restore)) return undefined
  try {
    return readManifest(join(restore, manifestName), restore).files.length === 0 ? 'reset' : 'restore'
  } catch (error) {
    // What cannot be read is none of ours: a reset writes it whole.
    if (!isSvcError(error)) throw error
    return 'restore'
  }
}

function putInPlace(dataDir: DataDir): void {
  const { restore, path } = dataDir
  const { files } = readManifest(join(restore, manifestName), restore)
  // What an earlier attempt has moved is not here any more, and in its place already.
  const isLeft = (name: string) => existsSync(join(restore, name))
  const trash = join(path, trashName)
  if (!files.some((file) => file.path.startsWith('objects/'))) {
    rmSync(dataDir.objects, { recursive: true, force: true })
  } else if (isLeft('objects')) {
    rmSync(trash, { recursive: true, force: true })
    if (existsSync(dataDir.objects)) renameSync(dataDir.objects, trash)
    renameSync(join(restore, 'objects'), dataDir.objects)
  }
  rmSync(dataDir.workers, { recursive: true, force: true })
  for (const journal of dataDir.journals) rmSync(journal, { force: true })
  for (const name of [...singleFiles, databaseName]) {
    const place = join(path, name)
    if (!files.some((file) => file.path === name)) rmSync(place, { recursive: true, force: true })
    else if (isLeft(name)) {
      // A file can take the place of a file alone.
      if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) rmSync(place, { recursive: true })
      renameSync(join(restore, name), place)
    }
  }
  const isConfigured = existsSync(join(path, configName))
  if (!isConfigured && isLeft(configName) && files.some((file) => file.path === configName)) {
    renameSync(join(restore, configName), join(path, configName))
  }
  // The mark goes in one step, whatever it takes to delete what is left of it.
  const rest = join(path, `${restoreDraftName}-done`)
  rmSync(rest, { recursive: true, force: true })
  renameSync(restore, rest)
  for (const folder of [rest, trash]) rmSync(folder, { recursive: true, force: true })
}

/** Has `finishRestore` put nothing in place of what is there, also instead of a snapshot whose restore was cut short. */
export function markEmptied({ path, restore }: DataDir): void {
  const draft = join(path, restoreDraftName)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  const manifest: Manifest = { format, version, created_at: new Date().toISOString(), files: [], missing: [] }
  writeFileSync(join(draft, manifestName), JSON.stringify(manifest), { mode: 0o600 })
  if (existsSync(restore)) renameSync(join(draft, manifestName), join(restore, manifestName))
  else renameSync(draft, restore)
  rmSync(draft, { recursive: true, force: true })
}

function finishAlone(dataDir: DataDir): void {
  const hold = requireAlone(dataDir)
  try {
    finishRestore(dataDir)
  } finally {
    hold.release()
  }
}

function requireEmpty(path: string, database: readonly string[]): void {
  if (listContents(path, database).length === 0) return
  throw new SvcError('conflict', `${path} is not empty: name another folder, or replace it with --force.`)
}

/** What keeps a folder from being empty: not what a disk brings along, nor what was left behind by a killed process. */
function listContents(folder: string, database: readonly string[]): string[] {
  // Whether there is anything in the database, only who holds it can tell.
  const isOther = (name: string) => name !== databaseName && name !== 'lost+found' && !isLeftover(name)
  return [...database, ...readdirSync(folder).filter(isOther)]
}

function verifyDatabase(file: string, name: string): void {
  const database = inspectDatabase(file, Date.now())
  try {
    const [fault] = database.faults
    if (fault !== undefined) throw new SvcError('invalid_request', `The database in ${name} is damaged: ${fault}.`)
    if (database.unknownMigrations.length > 0) {
      throw new SvcError('invalid_request', `${name} was taken by a newer version of svc. Install that one first.`)
    }
  } finally {
    database.close()
  }
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
