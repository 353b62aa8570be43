import { compareSteps } from '../migrate.js'
import { type Connection, Database } from '../sqlite/driver.js'
import { lockWaitMs } from './copy.js'
import { iterateNamedObjects } from './named-objects.js'

/** A database opened read-only. */
export interface Inspection {
  /** The defects that SQLite finds in the file. */
  readonly faults: readonly string[]
  /** True if a newer version of the program has changed the file so that this one cannot use it. */
  readonly isTooNew: boolean
  readonly pendingMigrations: readonly string[]
  /** The creation time of the newest task or key, epoch milliseconds; 0 without any. */
  readonly newestAt: number
  /** IDs of the keys that are valid at this time. */
  readonly activeKeys: readonly string[]
  /** Calls `visit` with each object key that a row names. */
  forEachNamedObject(visit: (key: string) => void): void
  /** Finds the objects among `keys` that are files of a finished task, with the task. */
  findPromised(keys: ReadonlySet<string>): { readonly key: string; readonly taskId: string }[]
  close(): void
}

const selectFloor = "select value from settings where name = 'schema_floor'"

/** Opens a database file without changing it. Throws SQLite's error if the file cannot be read. */
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
    const [floor] = tables.has('settings') ? column<string>(selectFloor) : []
    const { pending, isTooNew } = compareSteps(applied, floor)
    return {
      faults,
      isTooNew,
      pendingMigrations: pending,
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
