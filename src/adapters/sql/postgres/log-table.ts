import type { Insertable, Kysely } from 'kysely'
import type { LogLine } from '../../../ports/log-lines.js'
import { findLogRange, type LogTable } from '../log-lines.js'
import type { Tables } from '../tables.js'
import { postgresEngine } from './engine.js'

/** A line is that much older than the newest one, at most. */
const ageMsAtMost = 30 * 86_400_000

/** The table of the request log, to which the processes of several machines write. */
export function createLogTable(db: Kysely<Tables>): LogTable {
  return {
    async append(lines) {
      await db.transaction().execute(async (tx) => {
        // Without turns, a line could appear after one with a greater ID, and its readers would have gone on.
        await postgresEngine.takeTurn(tx, 'request log')
        await tx
          .insertInto('log_lines')
          .values(lines.map(toRow))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      })
    },
    async findLogExcess(linesAtMost) {
      const { first, last } = await findLogRange(db)
      const oldestKept = await db
        .selectFrom('log_lines')
        .select('id')
        .where('at', '>=', (lines) =>
          lines
            .selectFrom('log_lines')
            .select((line) => line('at', '-', ageMsAtMost).as('oldest'))
            .orderBy('id', 'desc')
            .limit(1),
        )
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return { first, last: Math.max(last - linesAtMost, (oldestKept?.id ?? first) - 1) }
    },
    async delete({ first, last }) {
      await db.deleteFrom('log_lines').where('id', '>=', first).where('id', '<=', last).execute()
    },
  }
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
