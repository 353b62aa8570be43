import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { LineRange, LogLine, LogLineStore } from '../../ports/log-lines.js'
import type { RunWork } from './database.js'
import type { Tables } from './tables.js'

export type LogRow = Insertable<Tables['log_lines']>

/** The statements on the table that differ between the engines. */
export interface LogTable extends Pick<LogLineStore, 'findLogExcess'> {
  append(rows: readonly LogRow[]): Promise<void>
  delete(range: LineRange): Promise<void>
}

export function createLogLineStore(db: Kysely<Tables>, commit: RunWork, table: LogTable): LogLineStore {
  return {
    async appendLogLines(lines) {
      if (lines.length > 0) await commit(() => table.append(lines.map(toRow)))
    },
    findLogRange: () => commit(() => findLogRange(db)),
    async listLogLines({ first, last, kind, id, status, since, newestFirst, limit }) {
      const lines = db
        .selectFrom('log_lines')
        .select(['id', 'line as text'])
        .where('id', '>=', first)
        .where('id', '<=', last)
        .where('status', kind === 'call' ? 'is not' : 'is', null)
        .$if(id !== undefined, (query) => query.where(hasId(id ?? '')))
        .$if(status !== undefined, (query) => query.where('status', '=', status ?? 0))
        .$if(since !== undefined, (query) => query.where('at', '>=', since?.getTime() ?? 0))
        .orderBy('id', newestFirst ? 'desc' : 'asc')
        .limit(limit)
      return commit(() => lines.execute())
    },
    findLogExcess: (linesAtMost) => commit(() => table.findLogExcess(linesAtMost)),
    deleteLogLines: (range) => commit(() => table.delete(range)),
  }
}

export async function findLogRange(db: Kysely<Tables>): Promise<LineRange> {
  const edge = (order: 'asc' | 'desc') => db.selectFrom('log_lines').select('id').orderBy('id', order).limit(1)
  const [first, last] = [await edge('asc').executeTakeFirst(), await edge('desc').executeTakeFirst()]
  return { first: first?.id ?? 1, last: last?.id ?? 0 }
}

function hasId(id: string): RawBuilder<boolean> {
  return sql<boolean>`(request_id = ${id} or caller_request_id = ${id} or trace_id = ${id})`
}

function toRow(line: LogLine): LogRow {
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
