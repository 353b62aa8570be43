import { closeSync, openSync, statSync } from 'node:fs'
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import { type Connection, Database } from './driver.js'
import { findFileNumber, requireSameFile } from './file-number.js'

/** While the file is opened and its tables are made, by several processes perhaps. */
const openTimeoutMs = 5000
const statementsKept = 200
const mappedBytes = 2 ** 31 - 2 ** 16

/** Where the file is there, it is left alone: closing it would end all locks that this process has on it. */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (statSync(file).isDirectory()) throw Object.assign(new Error(`${file} is a folder`), { code: 'EISDIR' })
  }
}

/**
 * Opens or creates a SQLite file, for its owner alone, in the mode that several processes can share: WAL, and a commit
 * that survives the death of the process. A loss of power can cost the commits since the last checkpoint. Throws where the
 * file is replaced meanwhile.
 */
export function openSqlite(file: string): Connection {
  createFile(file)
  const number = findFileNumber(file)
  const database = new Database(file, { timeout: openTimeoutMs })
  try {
    database.pragma('journal_mode = WAL')
    // From the first reading on it keeps off those who would replace the file.
    database.pragma('schema_version')
    requireSameFile(file, number)
  } catch (error) {
    database.close()
    throw error
  }
  setUpForWriting(database)
  // Of a million tasks a row is mostly on pages that SQLite does not keep; mapped, they need no call of the system.
  database.pragma(`mmap_size = ${mappedBytes}`)
  return database
}

/** What each connection that writes is told. */
export function setUpForWriting(database: Connection): void {
  database.pragma('synchronous = NORMAL')
  // Checkpoints are made in good time by a thread of their own; this is for writes which that does not count.
  database.pragma('wal_autocheckpoint = 4000')
}

/** Has SQLite fail at once where another holds the lock: it would wait on the thread that serves all calls. */
export function stopWaiting(database: Connection): void {
  database.pragma('busy_timeout = 0')
}

/** Kysely on one SQLite connection. */
export function createSqliteDialect(database: Connection): SqliteDialect {
  return new ImmediateDialect(database)
}

class ImmediateDialect extends SqliteDialect {
  readonly #database: Connection
  readonly #config: SqliteDialectConfig

  constructor(database: Connection) {
    const config = { database: keepStatements(database) }
    super(config)
    this.#database = database
    this.#config = config
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#database, this.#config)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/** Takes the write lock when a transaction begins: one that began as a reader fails as soon as another process writes. */
class ImmediateDriver extends SqliteDriver {
  readonly #database: Connection

  constructor(database: Connection, config: SqliteDialectConfig) {
    super(config)
    this.#database = database
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** A full disk ends a transaction by itself; asking again would hide the reason behind an error of its own. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}

/** Tells the migrator to run inside one transaction, so that two processes can migrate at once. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Keeps the statements used last. Kysely prepares each query anew, which is slow, and Node 24 aborts when so many
 * short-lived statements are collected.
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
