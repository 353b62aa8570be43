import { existsSync, renameSync, rmSync } from 'node:fs'
import { copyObjects, requireSameObjects } from '../../adapters/objects/copy-objects.js'
import { openDiskObjects } from '../../adapters/objects/disk.js'
import { fingerprintOf, storeSecret } from '../../adapters/secret.js'
import { findPending, migrate } from '../../adapters/sql/migrate.js'
import { openSqlite } from '../../adapters/sql/sqlite/dialect.js'
import { toSqliteUpkeep } from '../../adapters/sql/sqlite/upkeep-database.js'
import { beginCopy, copyTable, endCopy, listCopiedTables } from '../../adapters/sql/upkeep/copy-rows.js'
import { digestTable } from '../../adapters/sql/upkeep/digest-table.js'
import type { ExclusiveLock } from '../../adapters/sql/upkeep/exclusive-lock.js'
import type { UpkeepDatabase } from '../../adapters/sql/upkeep/upkeep-database.js'
import type { StorageConfig } from '../../config/storage.js'
import { SvcError } from '../../errors.js'
import { createDataDir, type DataDir, requireDataDir, withPathInError } from '../../runtime/data-dir.js'
import { syncToDisk } from '../../runtime/sync-to-disk.js'
import { quote } from '../../text/spelling.js'
import { unsigned } from '../storage/upkeep.js'
import { requireExclusiveLock } from './exclusive-lock.js'
import { findMovedSecret } from './moved-secret.js'

export interface MoveReport {
  readonly data_dir: string
  /** True if an earlier move was interrupted, and this one went on. */
  readonly resumed: boolean
  /** The rows of each table; empty if the rows were not moved. */
  readonly tables: Readonly<Record<string, number>>
  readonly rows: number
  readonly objects: number
  readonly object_bytes: number
  /** The file with the secret that the processes of the database need; null if it was given, or the rows were not moved. */
  readonly secret_file: string | null
}

/** Receives the table that is copied or compared with a number of rows, or `objects` with a number of bytes. */
export type MoveProgress = (what: string, amount: number) => void

/**
 * Copies the rows of a data directory to the configured database and its files to the configured bucket, or back, and compares
 * them. The part without a database or bucket in `config` stays where it is. An interrupted move goes on if it is repeated.
 * The source stays as it is. Throws `conflict` if a process works on the source, or the target holds anything else.
 */
export async function moveData(
  config: StorageConfig,
  to: 'folder' | 'fleet',
  report: MoveProgress,
): Promise<MoveReport> {
  if (config.database === '' && config.objects === '') {
    throw new SvcError('invalid_request', 'Name the other place with --database, --objects or both.')
  }
  return to === 'fleet' ? moveToFleet(config, report) : moveToFolder(config, report)
}

async function moveToFleet(config: StorageConfig, report: MoveProgress): Promise<MoveReport> {
  const dataDir = requireDataDir(config.dataDir)
  const lock = requireExclusiveLock(dataDir)
  try {
    const folder = openLocked(dataDir, lock)
    await requireCurrent(folder, `svc migrate --data-dir ${quote(dataDir.path)}`)
    if (config.database === '') return await moveParts(config, { dataDir, to: 'fleet', report })
    const secret = findMovedSecret(config, dataDir)
    const { openDatabaseToFill } = await import('../storage/database.js')
    const target = await openDatabaseToFill(config)
    try {
      const rows = { source: folder, target, fingerprint: fingerprintOf(secret.key) }
      const moved = await moveParts(config, { dataDir, to: 'fleet', report, rows })
      return { ...moved, secret_file: secret.file }
    } finally {
      await target.close()
    }
  } finally {
    lock.release()
  }
}

async function moveToFolder(config: StorageConfig, report: MoveProgress): Promise<MoveReport> {
  if (config.database === '') {
    const dataDir = requireDataDir(config.dataDir)
    const lock = requireExclusiveLock(dataDir)
    try {
      return await moveParts(config, { dataDir, to: 'folder', report })
    } finally {
      lock.release()
    }
  }
  const { lockDatabase } = await import('../storage/database.js')
  const source = await lockDatabase(config)
  try {
    await requireCurrent(source, 'svc migrate')
    const dataDir = createDataDir(config.dataDir)
    const secret = findMovedSecret(config, dataDir)
    await requireFingerprint(source, fingerprintOf(secret.key))
    const lock = requireExclusiveLock(dataDir)
    try {
      if (!lock.isEmpty)
        throw new SvcError('conflict', `${dataDir.path} holds a service already. Name an empty folder.`)
      return await fillFolder(config, { dataDir, lock, source, secret: secret.key, report })
    } finally {
      lock.release()
    }
  } finally {
    await source.close()
  }
}

interface Filling {
  readonly dataDir: DataDir
  readonly lock: ExclusiveLock
  readonly source: UpkeepDatabase
  readonly secret: Parameters<typeof storeSecret>[1]
  readonly report: MoveProgress
}

/** Fills a database of another name, which gets its own when it is complete: until then the folder has no rows. */
async function fillFolder(
  config: StorageConfig,
  { dataDir, lock, source, secret, report }: Filling,
): Promise<MoveReport> {
  const draft = `${dataDir.database}.moving`
  const target = toSqliteUpkeep(withPathInError(draft, () => openSqlite(draft)))
  let moved: MoveReport
  try {
    await migrate(target.db)
    const rows = { source, target, fingerprint: fingerprintOf(secret) }
    moved = await moveParts(config, { dataDir, to: 'folder', report, rows })
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

interface Move {
  readonly dataDir: DataDir
  readonly to: 'folder' | 'fleet'
  readonly report: MoveProgress
  /** Undefined if the rows stay. */
  readonly rows?: { readonly source: UpkeepDatabase; readonly target: UpkeepDatabase; readonly fingerprint: string }
}

/** Moves the files first: rows never name files that are not there. */
async function moveParts(config: StorageConfig, { dataDir, to, report, rows }: Move): Promise<MoveReport> {
  const resumed = rows !== undefined && (await beginCopy(rows.target, rows.fingerprint))
  const files = config.objects === '' ? { objects: 0, sizeBytes: 0 } : await moveObjects(config, dataDir, to, report)
  const tables = rows === undefined ? {} : await moveRows(rows.source, rows.target, report)
  if (rows !== undefined) await endCopy(rows.source, rows.target, rows.fingerprint)
  return {
    data_dir: dataDir.path,
    resumed,
    tables,
    rows: Object.values(tables).reduce((sum, count) => sum + count, 0),
    objects: files.objects,
    object_bytes: files.sizeBytes,
    secret_file: null,
  }
}

async function moveObjects(config: StorageConfig, dataDir: DataDir, to: Move['to'], report: MoveProgress) {
  const { openBucket } = await import('../storage/bucket.js')
  const bucket = openBucket(config, unsigned)
  try {
    const folder = withPathInError(dataDir.objects, () => openDiskObjects(dataDir.objects, unsigned))
    const [source, target] = to === 'fleet' ? ([folder, bucket] as const) : ([bucket, folder] as const)
    await requireSameObjects(source, target)
    return await copyObjects(source, target, (sizeBytes) => report('objects', sizeBytes))
  } finally {
    await bucket.close()
  }
}

/** Copies the tables, and compares them with their source. */
async function moveRows(source: UpkeepDatabase, target: UpkeepDatabase, report: MoveProgress) {
  const tables = await listCopiedTables(source)
  for (const table of tables) await copyTable(source, target, table, (rows) => report(table, rows))
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [from, to] = [await digestTable(source, table), await digestTable(target, table)]
    if (from.rows !== to.rows || from.hash !== to.hash) {
      const numbers = `${to.rows} rows in place of ${from.rows}`
      throw new SvcError(
        'conflict',
        `The copy of ${table} differs from its source (${numbers}). Empty the target, and start again.`,
      )
    }
    counts[table] = from.rows
    report(`compared ${table}`, from.rows)
  }
  return counts
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

async function requireFingerprint({ db }: UpkeepDatabase, fingerprint: string): Promise<void> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'secret_fingerprint')
    .executeTakeFirst()
  if (row === undefined || row.value === fingerprint) return
  throw new SvcError('invalid_request', 'SVC_SECRET is not the secret of the processes of the database.')
}
