import { type Connection, Database } from '../driver.js'
import { migrations } from '../migrations/index.js'
import { lockWaitMs } from './copy.js'
import { iterateNamedObjects } from './named-objects.js'

/** The database as it lies there, open for reading. */
export interface Inspection {
  /** What SQLite finds wrong with the file. */
  readonly faults: readonly string[]
  /** Names of changes of the schema that the file has and this program does not know, and the other way round. */
  readonly unknownMigrations: readonly string[]
  readonly pendingMigrations: readonly string[]
  /** When the newest task or key was created, epoch milliseconds; 0 without any. */
  readonly newestAt: number
  /** IDs of the keys that may be used at this time. */
  readonly activeKeys: readonly string[]
  /** Passes each stored file that a row names. */
  forEachNamedObject(visit: (key: string) => void): void
  /** Of these files those that a finished task still promises, with the task. */
  findPromised(keys: ReadonlySet<string>): { readonly key: string; readonly taskId: string }[]
  close(): void
}

/** Opens a database file to look at it; nothing is changed. Throws what SQLite says of a file that it cannot read. */
export function inspectDatabase(file: string, now: number): Inspection {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: lockWaitMs })
  try {
    const column = <T>(sql: string, ...parameters: unknown[]) =>
      database
        .prepare<unknown[], T>(sql)
        .pluck()
        .all(...parameters)
    const faults = column<string>('pragma quick_check').filter((line) => line !== 'ok')
    const tables = new Set(column<string>("select name from sqlite_master where type = 'table'"))
    const applied = tables.has('kysely_migration') ? column<string>('select name from kysely_migration') : []
    return {
      faults,
      unknownMigrations: applied.filter((name) => !(name in migrations)),
      pendingMigrations: Object.keys(migrations).filter((name) => !applied.includes(name)),
      newestAt: Math.max(
        0,
        ...['tasks', 'api_keys'].flatMap((table) =>
          tables.has(table) ? column<number | null>(`select max(created_at) from ${table}`).map(Number) : [],
        ),
      ),
      activeKeys: tables.has('api_keys')
        ? column<string>(
            'select id from api_keys where revoked_at is null and coalesce(expires_at, ?) > ?',
            now + 1,
            now,
          )
        : [],
      forEachNamedObject(visit) {
        for (const key of iterateNamedObjects(database)) visit(key)
      },
      findPromised: (keys) => findPromised(database, keys),
      close: () => {
        database.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

function findPromised(database: Connection, keys: ReadonlySet<string>): { key: string; taskId: string }[] {
  const rows = database
    .prepare<[], { id: string; units: string }>(
      "select id, units from tasks where finished_at > 0 and status not in ('deleting', 'delete_failed')",
    )
    .iterate()
  const promised: { key: string; taskId: string }[] = []
  for (const { id, units } of rows) {
    for (const { output } of JSON.parse(units) as { output: { files: Record<string, string> } | null }[]) {
      for (const key of Object.values(output?.files ?? {})) if (keys.has(key)) promised.push({ key, taskId: id })
    }
  }
  return promised
}
