import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { LoggedCall, RequestStore } from '../../ports/requests.js'
import type { LedgerEntry } from '../../ports/tasks.js'
import type { Attempt } from './attempt.js'
import type { Tables } from './tables.js'

export function createRequestStore(db: Kysely<Tables>, attempt: Attempt): RequestStore {
  async function select<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await attempt(() => query.execute(db))).rows
  }

  return {
    async findSubjects(calls) {
      if (calls.length === 0) return []
      const booked = await select<FoundRow>(selectCreated('usage_entries', calls, sql`null as id`))
      // A library comes with its tasks, of which it is the parent: it is what was asked for.
      const isAsked = sql`and (kind <> 'diary' or parent_id is null)`
      const created = await select<FoundRow>(selectCreated('tasks', calls, sql`id`, isAsked))
      const [bookings, tasks] = [createFinder(booked), createFinder(created)]
      return calls.map((call) => {
        const [booking, task] = [bookings(call), tasks(call)]
        // The tasks of the library that all pets share are of no pet; the call that had one made is.
        const petId = booking?.pet_id ?? task?.pet_id
        return petId === undefined ? undefined : { petId, taskId: task?.id ?? undefined }
      })
    },
    async findPets(taskIds) {
      if (taskIds.length === 0) return new Map()
      const rows = await attempt(() =>
        db.selectFrom('tasks').select(['id', 'pet_id']).where('id', 'in', taskIds).execute(),
      )
      return new Map(rows.map((row) => [row.id, row.pet_id]))
    },
    async listLedger(taskId) {
      // The key of a row begins with its unit's, and that with the task's: `0` comes after `/`.
      const rows = await attempt(() =>
        db
          .selectFrom('usage_ledger')
          .select(['model', 'quantity', 'unit', 'cost_micros', 'certain', 'maybe_duplicate'])
          .where('unit_id', '>', `${taskId}/`)
          .where('unit_id', '<', `${taskId}0`)
          .orderBy('unit_id')
          .orderBy('attempt')
          .execute(),
      )
      return rows.map(
        (row): LedgerEntry => ({
          model: row.model,
          quantity: row.quantity,
          unit: row.unit as LedgerEntry['unit'],
          costMicros: row.cost_micros,
          certain: row.certain === 1,
          maybeDuplicate: row.maybe_duplicate === 1,
        }),
      )
    },
  }
}

/** There is no index by request alone, but the calls of a list came one after the other. */
function selectCreated(
  table: 'tasks' | 'usage_entries',
  calls: readonly LoggedCall[],
  id: RawBuilder<unknown>,
  condition = sql``,
): RawBuilder<FoundRow> {
  const ids = [...new Set(calls.map(({ requestId }) => requestId))]
  return sql`
    with spans (since, until) as (values ${sql.join(mergeSpans(calls).map(toSpanRow))})
    select request_id, created_at, pet_id, ${id} from spans
    cross join ${sql.table(table)} where created_at between since and until
    and request_id in (${sql.join(ids)}) ${condition}`
}

interface FoundRow {
  readonly request_id: string
  readonly created_at: number
  readonly pet_id: string
  readonly id: string | null
}

/** Finds the row of a call among those that were read: callers may use an ID twice, at different times. */
function createFinder(rows: readonly FoundRow[]): (call: LoggedCall) => FoundRow | undefined {
  const byRequest = new Map<string, FoundRow[]>()
  for (const row of rows) byRequest.set(row.request_id, [...(byRequest.get(row.request_id) ?? []), row])
  return ({ requestId, from, to }) =>
    byRequest.get(requestId)?.find((row) => row.created_at >= from.getTime() && row.created_at <= to.getTime())
}

type Span = Pick<LoggedCall, 'from' | 'to'>

/** The times of the calls, of which those that touch are one. */
function mergeSpans(calls: readonly Span[]): Span[] {
  const spans: Span[] = []
  for (const call of [...calls].sort((one, other) => one.from.getTime() - other.from.getTime())) {
    const last = spans.at(-1)
    if (last === undefined || call.from > last.to) spans.push(call)
    else if (call.to > last.to) spans[spans.length - 1] = { from: last.from, to: call.to }
  }
  return spans
}

function toSpanRow({ from, to }: Span): RawBuilder<unknown> {
  return sql`(cast(${from.getTime()} as bigint), cast(${to.getTime()} as bigint))`
}
