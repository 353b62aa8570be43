import { Kysely } from 'kysely'
import { isSvcError, SvcError } from '../../../errors.js'
import type { LogLineStore } from '../../../ports/log-lines.js'
import { openPart } from '../../../runtime/data-dir.js'
import { createLogLineStore, findLogRange, type LogTable } from '../log-lines.js'
import type { Tables } from '../tables.js'
import { createCheckpointer } from './checkpointer.js'
import { createCommitSync } from './commit-sync.js'
import { createSqliteDialect, openSqlite, stopWaiting } from './dialect.js'
import type { Connection } from './driver.js'
import { findFileNumber } from './file-number.js'
import { createRetryWhileBusy } from './retry-while-busy.js'
import { createWriteAll, type Write } from './write-all.js'
import { createWriter, createWriterThread, rowsForThread, type WriterThread } from './writer.js'

/** With the write-ahead log, the files stay below 64 MB. */
const bytesAtMost = 56 << 20
/** Lines are appended in groups: 40 % less time than with pages of 4 KiB. */
const pageBytes = 8192
/** The part of the bound that is left after lines were deleted. */
const keptPart = 0.95

const insertSql = 'insert into log_lines (line) values (?)'
const deleteSql = 'delete from log_lines where id between ? and ?'

export interface SqliteLog extends LogLineStore {
  close(): Promise<void>
}

/**
 * Opens the request log of a folder, a file of its own: writes to it keep no other write waiting, and the service goes on if it
 * cannot be used. It is opened on first use, and again after it was removed or replaced. `report` receives a sentence when
 * lines can no longer be written; `shared` is the thread that writes the store.
 */
export function openSqliteLog(
  file: string,
  report: (message: string) => void = () => {},
  shared?: WriterThread,
): SqliteLog {
  const thread = shared ?? createWriterThread()
  let opened: ReturnType<typeof openFile> | undefined
  let trouble = ''

  async function open(): Promise<LogLineStore> {
    const former = opened
    if (former !== undefined && findFileNumber(file) === former.number) return former.store
    opened = undefined
    opened = openFile(file, thread)
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
    async close() {
      await opened?.close()
      if (shared === undefined) await thread.close()
    },
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

function openFile(file: string, thread: WriterThread) {
  const database = openSqlite(file, pageBytes)
  try {
    createTable(database)
  } catch (error) {
    database.close()
    throw error
  }
  stopWaiting(database)
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) })
  const writer = createWriter(file, thread)
  const checkpointer = createCheckpointer(writer)
  const commitSync = createCommitSync(database, file)
  const writeHere = createWriteAll(database)

  /** Writes in the thread, or on this one if the rows are few or the thread is not ready. */
  async function write(write: Write, rows: number): Promise<void> {
    const writing = rows >= rowsForThread ? writer.write([write]) : undefined
    await (writing ?? writeHere([write]))
    // No call waits for the disk. If it fails, a power cut may lose more lines.
    commitSync.flushSoon().catch(() => {})
    checkpointer.count(rows)
    await checkpointer.wait(Number.POSITIVE_INFINITY)
  }

  const table: LogTable = {
    append: (lines) => write({ sql: insertSql, parameters: lines.map(({ text }) => text), columns: 1 }, lines.length),
    async findLogExcess(linesAtMost) {
      const read = (name: string) => Number(database.pragma(name, { simple: true }))
      const bytes = (read('page_count') - read('freelist_count')) * read('page_size')
      const { first, last } = await findLogRange(db)
      const fitting = bytes > bytesAtMost ? (last - first + 1) * keptPart * (bytesAtMost / bytes) : linesAtMost
      return { first, last: last - Math.floor(Math.min(fitting, linesAtMost)) }
    },
    delete: ({ first, last }) => write({ sql: deleteSql, parameters: [first, last], columns: 2 }, last - first + 1),
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

/**
 * Creates the table unless the file has it. What is searched is computed from the line by who reads it: columns and indexes that
 * are written would double the cost of a line, and a search reads at most 64 MB. The IDs are above those of a file that it
 * replaces, so that readers go on.
 */
function createTable(database: Connection): void {
  if (database.pragma('user_version', { simple: true }) !== 0) return
  database
    .transaction(() =>
      database.exec(`
        create table if not exists log_lines (
          id integer primary key autoincrement, line text not null,
          at integer as (cast(round(unixepoch(line ->> 'time', 'subsec') * 1000) as integer)), status integer as (line ->> 'status'),
          request_id text as (line ->> 'request_id'), caller_request_id text as (line ->> 'caller_request_id'),
          trace_id text as (line ->> 'trace_id'));
        insert into sqlite_sequence (name, seq) select 'log_lines', ${Date.now() * 1000}
          where not exists (select 1 from sqlite_sequence);
        pragma user_version = 1`),
    )
    .immediate()
}
