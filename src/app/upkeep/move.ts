import type { KeyObject } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { openDiskObjects } from '../../adapters/objects/disk.js'
import { findStoredSecret, fingerprintOf, storeSecret } from '../../adapters/secret.js'
import { findSetting } from '../../adapters/sql/database.js'
import { findPending, migrate } from '../../adapters/sql/migrate.js'
import { openSqlite } from '../../adapters/sql/sqlite/dialect.js'
import { toSqliteUpkeep } from '../../adapters/sql/sqlite/upkeep-database.js'
import { copyRows, markTarget } from '../../adapters/sql/upkeep/copy-rows.js'
import type { ExclusiveLock } from '../../adapters/sql/upkeep/exclusive-lock.js'
import type { UpkeepDatabase } from '../../adapters/sql/upkeep/upkeep-database.js'
import type { StorageConfig } from '../../config/storage.js'
import { SvcError } from '../../errors.js'
import type { ObjectStore } from '../../ports/objects.js'
import { createDataDir, type DataDir, requireDataDir, withPathInError } from '../../runtime/data-dir.js'
import { syncToDisk } from '../../runtime/durable-files.js'
import { quote } from '../../text/spelling.js'
import { findSecret, requireSame } from '../storage/secret.js'
import { unsigned } from '../storage/upkeep.js'
import { withExclusiveLock } from './exclusive-lock.js'
import { type Files, forEachObject } from './prune.js'

export interface MoveReport {
  readonly data_dir: string
  /** The rows of each table; empty if the rows were not moved. */
  readonly tables: Readonly<Record<string, number>>
  readonly rows: number
  readonly objects: number
  readonly object_bytes: number
  /** The file with the secret that the processes of the database need; null if it was given, or the rows were not moved. */
  readonly secret_file: string | null
}

/** Receives the table that is copied with a number of rows, or `objects` with a number of bytes. */
export type MoveProgress = (what: string, amount: number) => void

/**
 * Copies the rows of a data directory to the configured database and its files to the configured bucket, or back, and compares
 * their numbers. The part without a database or bucket in `config` stays where it is. The source stays as it is. Throws
 * `conflict` if a process works on the source, or the target is not empty, also after an interrupted move.
 */
export async function moveData(
  config: StorageConfig,
  to: 'folder' | 'fleet',
  report: MoveProgress,
): Promise<MoveReport> {
  if (config.database === '' && config.objects === '') {
    throw new SvcError('invalid_request', 'Name the other place with --database, --objects or both.')
  }
  if (config.database === '') return moveFilesOnly(config, to, report)
  return to === 'fleet' ? moveToFleet(config, report) : moveToFolder(config, report)
}

async function moveFilesOnly(config: StorageConfig, to: 'folder' | 'fleet', report: MoveProgress): Promise<MoveReport> {
  const dataDir = requireDataDir(config.dataDir)
  return withExclusiveLock(dataDir, async () => toReport(dataDir, await moveFiles(config, dataDir, to, report)))
}

async function moveToFleet(config: StorageConfig, report: MoveProgress): Promise<MoveReport> {
  const dataDir = requireDataDir(config.dataDir)
  return withExclusiveLock(dataDir, async (lock) => {
    const source = openLocked(dataDir, lock)
    await requireCurrent(source, `svc migrate --data-dir ${quote(dataDir.path)}`)
    const { key, file } = findMovedSecret(config, dataDir)
    const { openDatabaseToFill } = await import('../storage/database.js')
    const target = await openDatabaseToFill(config)
    try {
      const moved = await moveBoth(config, { dataDir, to: 'fleet', source, target, secret: key, report })
      return { ...moved, secret_file: file }
    } finally {
      await target.close()
    }
  })
}

async function moveToFolder(config: StorageConfig, report: MoveProgress): Promise<MoveReport> {
  const { lockDatabase } = await import('../storage/database.js')
  const source = await lockDatabase(config)
  try {
    await requireCurrent(source, 'svc migrate')
    const dataDir = createDataDir(config.dataDir)
    const secret = findMovedSecret(config, dataDir).key
    const kept = await findSetting(source.db, 'secret_fingerprint')
    if (kept !== undefined) requireSame(secret, kept)
    return await withExclusiveLock(dataDir, (lock) => {
      if (lock.isEmpty) return fillFolder(config, lock, { dataDir, source, secret, report })
      throw new SvcError('conflict', `${dataDir.path} holds a service already. Name an empty directory.`)
    })
  } finally {
    await source.close()
  }
}

interface Move {
  readonly dataDir: DataDir
  readonly to: 'folder' | 'fleet'
  readonly source: UpkeepDatabase
  readonly target: UpkeepDatabase
  readonly secret: KeyObject
  readonly report: MoveProgress
}

/** Fills a database of another name, which gets its own when it is complete: until then the folder has no rows. */
async function fillFolder(
  config: StorageConfig,
  lock: ExclusiveLock,
  move: Omit<Move, 'to' | 'target'>,
): Promise<MoveReport> {
  const { dataDir, secret } = move
  const draft = `${dataDir.database}.moving`
  for (const ending of ['', '-wal', '-shm']) rmSync(draft + ending, { force: true })
  const target = toSqliteUpkeep(withPathInError(draft, () => openSqlite(draft)))
  let moved: MoveReport
  try {
    await migrate(target.db)
    moved = await moveBoth(config, { ...move, to: 'folder', target })
  } finally {
    await target.close()
  }
  if (!lock.isCurrent()) throw new SvcError('conflict', `${dataDir.path} was changed meanwhile.`)
  if (!existsSync(dataDir.secret)) storeSecret(dataDir.secret, secret)
  for (const journal of ['-wal', '-shm']) rmSync(draft + journal, { force: true })
  syncToDisk(draft)
  renameSync(draft, dataDir.database)
  syncToDisk(dataDir.path)
  return moved
}

/** Moves the files first: rows never name files that are not there. */
async function moveBoth(config: StorageConfig, move: Move): Promise<MoveReport> {
  const { dataDir, to, source, target, secret, report } = move
  const fingerprint = fingerprintOf(secret)
  await markTarget(target, fingerprint)
  const files = config.objects === '' ? { objects: 0, sizeBytes: 0 } : await moveFiles(config, dataDir, to, report)
  return toReport(dataDir, files, await copyRows(source, target, fingerprint, report))
}

function toReport({ path }: DataDir, { objects, sizeBytes }: Files, tables: MoveReport['tables'] = {}): MoveReport {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  return { data_dir: path, tables, rows, objects, object_bytes: sizeBytes, secret_file: null }
}

async function moveFiles(config: StorageConfig, dataDir: DataDir, to: Move['to'], report: MoveProgress) {
  const { openBucket } = await import('../storage/bucket.js')
  const bucket = openBucket(config, unsigned)
  try {
    const folder = withPathInError(dataDir.objects, () => openDiskObjects(dataDir.objects, unsigned))
    const copy = (source: ObjectStore, target: ObjectStore) =>
      copyFiles(source, target, (sizeBytes) => report('objects', sizeBytes))
    return await (to === 'fleet' ? copy(folder, bucket) : copy(bucket, folder))
  } finally {
    await bucket.close()
  }
}

/** Copies all files, and compares their number and size. Throws `conflict` if the target has any. */
async function copyFiles(
  source: ObjectStore,
  target: ObjectStore,
  report: (sizeBytes: number) => void,
): Promise<Files> {
  const [other] = (await listSizes(target)).keys()
  if (other !== undefined) {
    const message = `The target holds files already, such as ${other}. Remove them, or name an empty place.`
    throw new SvcError('conflict', message)
  }
  const files = await listSizes(source)
  await forEachObject(files.keys(), async (key) => {
    const bytes = await source.get(key)
    await target.put(key, bytes)
    report(bytes.length)
  })
  const [total, copied] = [sum(files), sum(await listSizes(target))]
  if (copied.objects === total.objects && copied.sizeBytes === total.sizeBytes) return total
  const counts = `${copied.objects} files with ${copied.sizeBytes} bytes in place of ${total.objects} with ${total.sizeBytes}`
  throw new SvcError('conflict', `The target lists ${counts}: something else writes to it.`)
}

async function listSizes(store: ObjectStore): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, sizeBytes } of store.list('ai-gateway/')) sizes.set(key, sizeBytes)
  return sizes
}

function sum(sizes: ReadonlyMap<string, number>): Files {
  return { objects: sizes.size, sizeBytes: [...sizes.values()].reduce((total, size) => total + size, 0) }
}

function openLocked({ path }: DataDir, { database, isEmpty }: ExclusiveLock): UpkeepDatabase {
  if (isEmpty) throw new SvcError('not_found', `${path} holds no service.`)
  if (database === undefined) {
    throw new SvcError('unavailable', `The database of ${path} is damaged; svc doctor says how.`)
  }
  return toSqliteUpkeep(database)
}

/** Throws `conflict` if the tables of the source are those of an older version. */
async function requireCurrent({ db }: UpkeepDatabase, command: string): Promise<void> {
  if ((await findPending(db)).length === 0) return
  throw new SvcError('conflict', `The source is of an older version. Change its tables first: ${command}`)
}

/**
 * Finds the secret of a service that moves between a folder and a database, which stays the same: that of the settings or of
 * the folder. `file` is null if it is that of the settings. Throws `invalid_request` without one, or if the two differ.
 */
function findMovedSecret(
  config: StorageConfig,
  { secret: file, path }: DataDir,
): { readonly key: KeyObject; readonly file: string | null } {
  const stored = findStoredSecret(file)
  const isGiven = config.secret !== '' || config.secretFile !== ''
  if (!isGiven && stored !== undefined) return { key: stored, file }
  // Throws without a secret, and says how to make one.
  const given = findSecret(config)
  if (given === undefined) throw new SvcError('invalid_request', `${path} has no secret: set SVC_SECRET.`)
  if (stored === undefined || stored.equals(given)) return { key: given, file: null }
  throw new SvcError(
    'invalid_request',
    `SVC_SECRET is not the secret in ${file}. Unset it to keep that of the data directory.`,
  )
}
