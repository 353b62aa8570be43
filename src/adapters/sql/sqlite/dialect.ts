import { closeSync, openSync, statSync } from 'node:fs'
import { CompiledQuery, type DatabaseConnection, type SqliteDatabase, SqliteDialect, SqliteDriver } from 'kysely'
import type { Connection } from './driver.js'
import { openSameFile } from './file-number.js'

/** While the file is opened and migrated, possibly by several processes. */
const openTimeoutMs = 5000
const switchRetryMs = 10
const statementsKept = 200
const mappedBytes = 2 ** 31 - 2 ** 16

/** Leaves an existing file alone: opening and closing it would end all locks that this process has on it. */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (statSync(file).isDirectory()) throw Object.assign(new Error(`${file} is a folder`), { code: 'EISDIR' })
  }
}

/**
 * Opens or creates a SQLite file, readable by its owner only, in WAL mode, which several processes can share. A commit
 * survives a crash of the process; `createCommitSync` makes it survive a power loss. Throws if the file is replaced
 * meanwhile. A new file gets pages of `pageBytes`.
 */
export function openSqlite(file: string, pageBytes = 4096): Connection {
  createFile(file)
  const database = openSameFile(file, { timeout: openTimeoutMs }, (opened) => {
    opened.pragma(`page_size = ${pageBytes}`)
    switchToWal(opened)
  })
  setUpForWriting(database)
  // With a million tasks, most rows are on pages outside SQLite's cache. Mapped pages need no system call.
  database.pragma(`mmap_size = ${mappedBytes}`)
  return database
}

/** SQLite refuses at once if another process switches at the same moment: two that waited for each other would never end. */
function switchToWal(database: Connection): void {
  const giveUpAt = performance.now() + openTimeoutMs
  for (;;) {
    try {
      database.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || performance.now() >= giveUpAt) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, switchRetryMs)
    }
  }
}

/** Sets up a connection that writes. */
export function setUpForWriting(database: Connection): void {
  database.pragma('synchronous = NORMAL')
  // The writer thread runs checkpoints earlier. On the main thread, where all calls would wait, is the last resort.
  database.pragma('wal_autocheckpoint = 8000')
}

/** Makes SQLite fail immediately if the database is locked: it would block the thread that serves all calls. */
export function stopWaiting(database: Connection): void {
  database.pragma('busy_timeout = 0')
}

/** Creates Kysely's dialect for one SQLite connection. */
export function createSqliteDialect(database: Connection): SqliteDialect {
  const config = { database: keepStatements(database) }
  return Object.assign(new SqliteDialect(config), { createDriver: () => new ImmediateDriver(database, config) })
}

/** Takes the write lock when a transaction begins. One that begins as a reader fails as soon as another process writes. */
class ImmediateDriver extends SqliteDriver {
  readonly #database: Connection

  constructor(database: Connection, config: { readonly database: SqliteDatabase }) {
    super(config)
    this.#database = database
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** On a full disk SQLite has already rolled back; a second rollback would fail and hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}

/**
 * Caches the most recently used statements. Kysely prepares each query again, which is slow, and Node 24 aborts when that
 * many short-lived statements are garbage collected.
 */
function keepStatements(database: Connection): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  return {
    prepare(sql) {
      const known = statements.get(sql)
      if (known !== undefined) {
        statements.delete(sql)
        statements.set(sql, known)
        return known
      }
      const statement = database.prepare(sql) as ReturnType<SqliteDatabase['prepare']>
      statements.set(sql, statement)
      const oldest = statements.size > statementsKept ? statements.keys().next() : undefined
      if (oldest?.done === false) statements.delete(oldest.value)
      return statement
    },
    close() {
      statements.clear()
      database.close()
    },
  }
}
