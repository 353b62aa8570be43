import { Kysely } from 'kysely'
import { isSvcError, SvcError } from '../../../errors.js'
import type { LogLineStore } from '../../../ports/log-lines.js'
import { openPart } from '../../../runtime/data-dir.js'
import { createLogLineStore, findLogRange, type LogRow, type LogTable } from '../log-lines.js'
import type { Tables } from '../tables.js'
import { createCheckpointer } from './checkpointer.js'
import { createCommitSync } from './commit-sync.js'
import { createSqliteDialect, openSqlite, stopWaiting } from './dialect.js'
import type { Connection } from './driver.js'
import { findFileNumber } from './file-number.js'
import { createRetryWhileBusy } from './retry-while-busy.js'
import { createWriteAll, type Write } from './write-all.js'
import { createWriter } from './writer.js'

/** With the write-ahead log, the files stay below 64 MB. */
const bytesAtMost = 56 << 20
/** A command that ends sooner does without the thread, which takes 30 ms to start. */
const threadAfterMs = 1000
/** The part of the bound that is left after lines were deleted. */
const keptPart = 0.95

const deleteSql = 'delete from log_lines where id between ? and ?'

export interface SqliteLog extends LogLineStore {
  close(): Promise<void>
}

/**
 * Opens the request log of a folder, a file of its own: writes to it keep no other write waiting, and the service goes on if it
 * cannot be used. It is opened on first use, and again after it was removed or replaced. `report` receives a sentence when
 * lines can no longer be written.
 */
export function openSqliteLog(file: string, report: (message: string) => void = () => {}): SqliteLog {
  let opened: ReturnType<typeof openFile> | undefined
  let trouble = ''

  async function open(): Promise<LogLineStore> {
    const former = opened
    if (former !== undefined && findFileNumber(file) === former.number) return former.store
    opened = undefined
    opened = openFile(file)
    await former?.close()
    return opened.store
  }

  return {
    async appendLogLines(lines) {
      try {
        await openPart(file, async () => (await open()).appendLogLines(lines))
        trouble = ''
      } catch (error) {
        const message = isSvcError(error) ? error.message : `Cannot use ${file}: ${String(error)}`
        if (message !== trouble) report(`${message} The service goes on, but lines of the request log may be lost.`)
        trouble = message
        throw error
      }
    },
    // Readers create no file.
    findLogRange: () =>
      read(async () => (findFileNumber(file) === undefined ? { first: 1, last: 0 } : (await open()).findLogRange())),
    listLogLines: (query) => read(async () => (await open()).listLogLines(query)),
    findLogExcess: async (linesAtMost) => (await open()).findLogExcess(linesAtMost),
    deleteLogLines: async (range) => (await open()).deleteLogLines(range),
    close: async () => opened?.close(),
  }
}

async function read<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const cause = isSvcError(error) ? error.cause : error
    throw new SvcError('unavailable', 'The request log cannot be read at the moment.', { cause })
  }
}

function openFile(file: string) {
  const database = openSqlite(file)
  try {
    createTable(database)
  } catch (error) {
    database.close()
    throw error
  }
  stopWaiting(database)
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) })
  const writer = createWriter(file)
  const checkpointer = createCheckpointer(writer)
  const commitSync = createCommitSync(database, file)
  const writeHere = createWriteAll(database)

  const openedAt = performance.now()

  /** Writes in the thread; on this one in the first second, and until the other is ready. */
  async function write(rows: number, sql: string, parameters: readonly unknown[]): Promise<void> {
    const writes: readonly Write[] = [{ sql, parameters, columns: parameters.length / rows }]
    const isYoung = performance.now() - openedAt < threadAfterMs
    await ((isYoung ? undefined : writer.write(writes)) ?? writeHere(writes))
    // No call waits for the disk. If it fails, a power cut may lose more lines.
    commitSync.flushSoon().catch(() => {})
    checkpointer.count(rows)
    await checkpointer.wait(Number.POSITIVE_INFINITY)
  }

  const { sql: insertSql } = db.insertInto('log_lines').values(emptyRow).compile()
  const table: LogTable = {
    append(rows) {
      const parameters: unknown[] = []
      for (const row of rows) parameters.push(...Object.values(row))
      return write(rows.length, insertSql, parameters)
    },
    async findLogExcess(linesAtMost) {
      const read = (name: string) => Number(database.pragma(name, { simple: true }))
      const bytes = (read('page_count') - read('freelist_count')) * read('page_size')
      const { first, last } = await findLogRange(db)
      const fitting = bytes > bytesAtMost ? (last - first + 1) * keptPart * (bytesAtMost / bytes) : linesAtMost
      return { first, last: last - Math.floor(Math.min(fitting, linesAtMost)) }
    },
    delete: ({ first, last }) => write(1, deleteSql, [first, last]),
  }
  return {
    number: findFileNumber(file),
    store: createLogLineStore(db, createRetryWhileBusy(), table),
    async close() {
      await commitSync.close()
      await writer.close()
      await db.destroy()
    },
  }
}

/** The columns of a row, in the order of its values. */
const emptyRow: LogRow = {
  ...{ instance: '', line_number: 0, at: 0, request_id: null, caller_request_id: null, trace_id: null, status: null },
  line: '',
}

/** Creates the table unless the file has it. Its IDs are above those of a file that it replaces, so that readers go on. */
function createTable(database: Connection): void {
  if (database.pragma('user_version', { simple: true }) !== 0) return
  const indexes = ['request_id', 'caller_request_id', 'trace_id'].map(
    (column) =>
      `create index if not exists log_lines_by_${column} on log_lines (${column}) where ${column} is not null;`,
  )
  database
    .transaction(() =>
      database.exec(`
        create table if not exists log_lines (
          id integer primary key autoincrement, instance text not null, line_number integer not null, at integer not null,
          request_id text, caller_request_id text, trace_id text, status integer, line text not null);
        ${indexes.join('\n')}
        insert into sqlite_sequence (name, seq) select 'log_lines', ${Date.now() * 1000}
          where not exists (select 1 from sqlite_sequence);
        pragma user_version = 1`),
    )
    .immediate()
}
