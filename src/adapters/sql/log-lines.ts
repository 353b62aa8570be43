import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { LineRange, LogLine, LogLineStore } from '../../ports/log-lines.js'
import type { RunWork } from './database.js'
import type { Tables } from './tables.js'

/** The statements on the table that differ between the engines. */
export interface LogTable extends Pick<LogLineStore, 'findLogExcess'> {
  append(lines: readonly LogLine[]): Promise<void>
  delete(range: LineRange): Promise<void>
}

export function createLogLineStore(db: Kysely<Tables>, commit: RunWork, table: LogTable): LogLineStore {
  return {
    async appendLogLines(lines) {
      if (lines.length > 0) await commit(() => table.append(lines))
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
