import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { LogLine, LogLineStore, LogWriter } from '../../ports/log-lines.js'
import type { RunWork, SqlDatabase } from './database.js'
import type { Tables } from './tables.js'

/** No caller waits for the lines of the log: `commit` does not wait for the disk, and they are on it soon after. */
export function createLogLineStore(
  db: Kysely<Tables>,
  commit: RunWork,
  syncSoon: SqlDatabase['syncSoon'],
): LogLineStore {
  return {
    async appendLogLines(lines) {
      if (lines.length === 0) return
      const rows = lines.map(toRow)
      await commit(() =>
        db
          .insertInto('log_lines')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      )
      // If the disk fails, the database reports it, and all calls get 503.
      syncSoon().catch(() => {})
    },
    async listLogWriters() {
      const { rows } = await commit(() => selectWriters.execute(db))
      return rows.map(
        (row): LogWriter => ({
          instance: row.instance,
          firstNumber: Number(row.first_number),
          lastNumber: Number(row.last_number),
          firstAt: Number(row.first_at),
          lastAt: Number(row.last_at),
        }),
      )
    },
    async listLogWritersOf(id) {
      const rows = await commit(() =>
        db.selectFrom('log_lines').select('instance').distinct().where(hasId(id)).execute(),
      )
      return rows.map(({ instance }) => instance)
    },
    async listLogLines({ instance, after, before, since, id, status, newestFirst, limit }) {
      const lines = db
        .selectFrom('log_lines')
        .select(['line_number', 'at', 'line'])
        .where('instance', '=', instance)
        .where('line_number', '>', after)
        .where('line_number', '<', before)
        .$if(since > 0, (query) => query.where('at', '>', since))
        .$if(id !== undefined, (query) => query.where(hasId(id ?? '')))
        .$if(status !== undefined, (query) => query.where('status', '=', status ?? 0))
        .orderBy('line_number', newestFirst ? 'desc' : 'asc')
        .limit(limit)
      const rows = await commit(() => lines.execute())
      return rows.map((row) => ({ number: row.line_number, at: row.at, text: row.line }))
    },
    async countLogLines(before) {
      const { lines } = await commit(() =>
        db
          .selectFrom('log_lines')
          .select(({ fn }) => fn.countAll<number>().as('lines'))
          .where('at', '<', before.getTime())
          .executeTakeFirstOrThrow(),
      )
      return Number(lines)
    },
    async deleteLogLines(limit, before) {
      const old = before === undefined ? sql`` : sql`where at < ${before.getTime()}`
      const { numAffectedRows } = await commit(() =>
        sql`delete from log_lines where (instance, line_number) in
          (select instance, line_number from log_lines ${old} order by at limit ${limit})`.execute(db),
      )
      return Number(numAffectedRows ?? 0)
    },
  }
}

interface WriterRow {
  readonly instance: string
  readonly first_number: number
  readonly last_number: number
  readonly first_at: number
  readonly last_at: number
}

const edge = (column: 'line_number' | 'at', order: 'asc' | 'desc') =>
  sql`(select ${sql.ref(column)} from log_lines where instance = writers.name order by line_number ${sql.raw(order)} limit 1)`

/** Steps from one instance to the next in the primary key: `distinct` would read all lines. */
const selectWriters: RawBuilder<WriterRow> = sql`
  with recursive writers (name) as (
    select min(instance) from log_lines
    union all
    select (select min(instance) from log_lines where instance > writers.name) from writers
    where writers.name is not null
  )
  select name as instance, ${edge('line_number', 'asc')} as first_number, ${edge('line_number', 'desc')} as last_number,
    ${edge('at', 'asc')} as first_at, ${edge('at', 'desc')} as last_at
  from writers where name is not null`

function hasId(id: string): RawBuilder<boolean> {
  return sql<boolean>`(request_id = ${id} or caller_request_id = ${id} or trace_id = ${id})`
}

function toRow(line: LogLine): Insertable<Tables['log_lines']> {
  return {
    instance: line.instance,
    line_number: line.number,
    at: line.at,
    request_id: line.requestId,
    caller_request_id: line.callerRequestId,
    trace_id: line.traceId,
    status: line.status,
    line: line.text,
  }
}
