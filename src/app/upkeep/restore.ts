import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { extract } from 'tar'
import { iterateStoredFiles } from '../../adapters/objects/key.js'
import { inspectDatabase } from '../../adapters/sql/upkeep/inspect.js'
import { configName } from '../../config.js'
import { SvcError } from '../../errors.js'
import { createDataDir, type DataDir, describeDataDir, withPathInError } from '../../runtime/data-dir.js'
import { syncToDisk, syncTree } from '../../runtime/durable-files.js'
import { programName } from '../../runtime/program-name.js'
import { quote } from '../../text/spelling.js'
import { withExclusiveLock } from './exclusive-lock.js'
import { isLeftover } from './leftovers.js'
import { databaseName, singleFiles } from './snapshot.js'

export interface RestoreReport {
  readonly data_dir: string
  readonly objects: number
  readonly size_bytes: number
  /** The origin of `svc.config.json`: restored from the snapshot, kept from before, or absent. */
  readonly config: 'restored' | 'kept' | 'none'
}

/** The archive is read in small pieces: an unpacked piece is in memory and can be a thousand times as large. */
const pieceBytes = 64 << 10

/**
 * Restores a snapshot into an empty data directory, next to an existing operator's file. A killed process leaves the folder
 * `.restore`, with which all others refuse the data directory until another restore, which starts afresh, or a reset. Throws
 * `conflict` if the folder is in use or not empty, and `invalid_request` if the file is not a snapshot.
 */
export async function restoreSnapshot(dataDir: DataDir, snapshot: string, name: string): Promise<RestoreReport> {
  requireArchive(snapshot, name)
  const { path, restore } = dataDir
  const isAgain = existsSync(restore)
  if (!isAgain) {
    createDataDir(path)
    requireEmpty(path)
  }
  return withExclusiveLock(dataDir, async (lock) => {
    if (!isAgain) requireEmpty(path, lock)
    rmSync(restore, { recursive: true, force: true })
    mkdirSync(restore, { mode: 0o700 })
    syncToDisk(path)
    try {
      await unpack(snapshot, name, restore)
      verify(describeDataDir(restore), name)
      // Unpacking takes time, and other programs may replace the files without asking for the lock.
      if (!lock.isCurrent()) throw new SvcError('conflict', `${path} was changed meanwhile; nothing was restored.`)
      if (!isAgain) requireEmpty(path, lock, ['.restore'])
      syncTree(restore)
    } catch (error) {
      // The files of an interrupted restore stay, so that all others still refuse the folder.
      if (!isAgain) rmSync(restore, { recursive: true, force: true })
      throw error
    }
    return withPathInError(path, () => putInPlace(dataDir))
  })
}

function requireArchive(snapshot: string, name: string): void {
  const found = statSync(snapshot, { throwIfNoEntry: false })
  if (found === undefined) throw new SvcError('not_found', `${name} does not exist.`)
  if (!found.isDirectory()) return
  const file = quote(`${name.replace(/\/+$/, '')}.tar`)
  throw new SvcError('invalid_request', `${name} is a folder. Pack it first: tar -cf ${file} -C ${quote(name)} .`)
}

/** A folder is empty without regard to the operator's file, `lost+found` and the leftovers of killed processes. */
function requireEmpty(path: string, database = { isEmpty: true }, expected: readonly string[] = []): void {
  // Only the holder of the lock knows whether the database is empty, so the caller passes it.
  const ignored = [databaseName, configName, 'lost+found', ...expected]
  const others = readdirSync(path).filter((name) => !ignored.includes(name) && !isLeftover(name))
  if (database.isEmpty && others.length === 0) return
  const reset = `${programName()} data reset --data-dir ${quote(path)}`
  throw new SvcError('conflict', `${path} is not empty. Name another directory, or empty it with: ${reset}`)
}

/** Unpacks files and folders, readable by their owner only. */
async function unpack(snapshot: string, name: string, folder: string): Promise<void> {
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  let sizeBytes = 0
  try {
    await extract({
      file: snapshot,
      cwd: folder,
      strict: true,
      maxReadSize: pieceBytes,
      // Only files and folders: a link could lead anywhere. Stops before the disk is full.
      filter(_path, entry) {
        if (!('type' in entry) || !['File', 'Directory'].includes(entry.type)) return false
        entry.mode = entry.type === 'File' ? 0o600 : 0o700
        sizeBytes += entry.size
        return sizeBytes <= freeBytes
      },
    })
  } catch (cause) {
    if (sizeBytes <= freeBytes) {
      throw new SvcError('invalid_request', `${name} cannot be unpacked: it is not a complete archive.`, { cause })
    }
  }
  if (sizeBytes > freeBytes) {
    const message = `${name} does not fit: its unpacked size exceeds the ${freeBytes} bytes that are free on the disk.`
    throw new SvcError('unavailable', message)
  }
}

/** Throws `invalid_request` if unpacked files are not those of a snapshot, or its database cannot be used. */
function verify({ path, database: file, objects }: DataDir, name: string): void {
  const find = (part: string) => statSync(part, { throwIfNoEntry: false })
  const isSnapshot =
    find(file)?.isFile() &&
    find(objects)?.isFile() !== true &&
    singleFiles.every((single) => find(join(path, single))?.isDirectory() !== true)
  if (!isSnapshot) throw new SvcError('invalid_request', `${name} is not a snapshot of svc.`)
  const { faults, isTooNew } = inspect(file, name)
  if (faults[0] !== undefined) {
    throw new SvcError('invalid_request', `The database in ${name} is damaged: ${faults[0]}.`)
  }
  if (isTooNew) {
    throw new SvcError('invalid_request', `${name} was taken by a newer version of svc. Install that one first.`)
  }
}

function inspect(file: string, name: string) {
  try {
    return inspectDatabase(file)
  } catch (error) {
    // Without the error as cause, which would be taken for one of the folder.
    throw new SvcError('invalid_request', `The database in ${name} is damaged: ${(error as Error).message}.`)
  }
}

/** Moves unpacked files to their places, and replaces those that an interrupted restore has left. */
function putInPlace(dataDir: DataDir): RestoreReport {
  const { path, restore, journals, objects, workers, servers } = dataDir
  const isConfigured = existsSync(join(path, configName))
  for (const part of [...journals, objects, workers, servers]) rmSync(part, { recursive: true, force: true })
  for (const name of ['objects', ...singleFiles, databaseName]) {
    if (name === configName && isConfigured) continue
    if (name !== databaseName && name !== configName) rmSync(join(path, name), { recursive: true, force: true })
    if (existsSync(join(restore, name))) renameSync(join(restore, name), join(path, name))
  }
  const isRestored = !isConfigured && existsSync(join(path, configName))
  syncToDisk(path)
  rmSync(restore, { recursive: true, force: true })
  syncToDisk(path)
  const files = [...iterateStoredFiles(objects)]
  const sizes = [databaseName, ...singleFiles].map(
    (name) => statSync(join(path, name), { throwIfNoEntry: false })?.size,
  )
  return {
    data_dir: path,
    objects: files.length,
    size_bytes: [...sizes, ...files.map(({ sizeBytes }) => sizeBytes)].reduce<number>(
      (sum, size) => sum + (size ?? 0),
      0,
    ),
    config: isConfigured ? 'kept' : isRestored ? 'restored' : 'none',
  }
}
