import { type Kysely, sql } from 'kysely'
import { toActiveFaultsText } from '../../adapters/sql/faults.js'
import { findPending } from '../../adapters/sql/migrate.js'
import { settingName } from '../../adapters/sql/movable-clock.js'
import { connect } from '../../adapters/sql/postgres/connection.js'
import { postgresEngine } from '../../adapters/sql/postgres/engine.js'
import { retryAfterConflict } from '../../adapters/sql/postgres/failures.js'
import { migratePostgres } from '../../adapters/sql/postgres/migrate.js'
import { openPostgresStore, requireByteOrder } from '../../adapters/sql/postgres/open-store.js'
import { describeMissingLimits, findMissingLimits } from '../../adapters/sql/postgres/session-limits.js'
import { lockPostgres, openPostgresUpkeep } from '../../adapters/sql/postgres/upkeep-database.js'
import type { Tables } from '../../adapters/sql/tables.js'
import type { UpkeepDatabase } from '../../adapters/sql/upkeep/upkeep-database.js'
import { nameStorage, type StorageConfig } from '../../config/storage.js'
import type { Store } from '../../ports/store.js'

const directOf = ({ database, databaseDirect }: StorageConfig) => databaseDirect || database

/** Opens the configured PostgreSQL database and migrates it. */
export function openDatabaseStore(config: StorageConfig, report?: (message: string) => void): Promise<Store> {
  const { database, databaseConnections: connections, environment } = config
  return openPostgresStore(database, {
    ...{ connections, directUrl: directOf(config), report },
    mayMoveClock: environment === 'test',
    storage: nameStorage(config),
  })
}

/** Returns the names of the steps that the database lacks. With `runs`, runs them and returns those that ran here. */
export async function migrateDatabase(config: StorageConfig, runs: boolean): Promise<readonly string[]> {
  const { db, close } = connect(config.database, 1)
  try {
    return await retryAfterConflict(() => (runs ? migratePostgres(db, directOf(config)) : findPending(db)))
  } finally {
    await close()
  }
}

/** Opens the configured database for upkeep. */
export function openDatabaseUpkeep(config: StorageConfig): UpkeepDatabase {
  return openPostgresUpkeep(config.database)
}

/** Opens and migrates the configured database, to fill it. Throws `invalid_request` if it orders text by a language. */
export async function openDatabaseToFill(config: StorageConfig): Promise<UpkeepDatabase> {
  const database = openPostgresUpkeep(directOf(config))
  try {
    await retryAfterConflict(async () => {
      await requireByteOrder(database.db)
      await migratePostgres(database.db, directOf(config))
    })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens the configured database while no process works on it, and keeps them away. Throws `conflict` if one does. */
export function lockDatabase(config: StorageConfig): Promise<UpkeepDatabase> {
  return retryAfterConflict(() => lockPostgres(directOf(config)))
}

/** Examines the configured database without changing it. Rejects if it cannot be reached or used. */
export async function examineServer({ database }: StorageConfig) {
  const { db, close, isPooled } = connect(database, 1)
  try {
    await requireByteOrder(db)
    const pending = await findPending(db)
    const { rows } = await sql<{ version: string; now: number }>`
      select current_setting('server_version') as version, ${postgresEngine.now} as now`.execute(db)
    const skewMs = Date.now() - (rows[0]?.now ?? 0)
    const settings = pending.length === 0 ? await db.selectFrom('settings').selectAll().execute() : []
    const clockOffsetMs = Number(settings.find(({ name }) => name === settingName)?.value ?? 0)
    const countFaults = sql.raw<{ active: number }>(toActiveFaultsText((rows[0]?.now ?? 0) + clockOffsetMs))
    const faults = pending.length === 0 ? (await countFaults.execute(db)).rows : []
    const missing = isPooled() ? await findMissingLimits(db) : []
    const notices = pending.length === 0 ? (await proxyNotices.execute(db)).rows : []
    const findValue = (name: string) => settings.find((setting) => setting.name === name)?.value
    return {
      version: rows[0]?.version ?? '',
      /** Steps that the next start runs. */
      pending,
      /** By how much the clock of this machine is later. */
      skewMs,
      /** The fingerprint of the secret that the first process had. */
      fingerprint: findValue('secret_fingerprint'),
      /** By how much a test has moved the clock of the service. */
      clockOffsetMs,
      /** The number of fault rules that may fire. */
      activeFaults: Number(faults[0]?.active ?? 0),
      /** The time at which a server last warned of a proxy, epoch milliseconds; undefined if it never did. */
      proxyNoticeAt: notices[0]?.at ?? undefined,
      /** Sentences on settings with which a power cut can lose commits. */
      durabilityFaults: await findDurabilityFaults(db),
      /** A sentence on a pooler that does not limit its sessions. */
      poolerFault: missing.length === 0 ? undefined : describeMissingLimits(missing),
    }
  } finally {
    await close()
  }
}

const proxyNotices = sql<{ at: number | null }>`
  select max(at) as at from log_lines where status is null and line like '%"event":"public_url_missing"%'`

/** Settings with which PostgreSQL answers a commit before it is on disk, and the sentences for an operator. */
const faults = {
  fsync:
    'The server runs with fsync=off: a power cut can lose what was answered, or destroy the database. ' +
    'Set fsync=on in postgresql.conf, and reload it.',
  synchronous_commit:
    'The sessions have synchronous_commit=off: a power cut can lose what was answered in the last second. ' +
    'Set synchronous_commit=on for the role, the database or the server.',
} as const

/** Returns a sentence on each setting with which a commit is answered before it is on disk. */
async function findDurabilityFaults(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: keyof typeof faults }>`
    select name from pg_settings where name in (${sql.join(Object.keys(faults))}) and setting = 'off' order by name`.execute(
    db,
  )
  return rows.map(({ name }) => faults[name])
}
