import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CallSubject, LoggedCall, RequestStore } from '../../ports/requests.js'
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
      const asked = listAsked(calls)
      const booked = await select<{ place: number; pet_id: string }>(sql`
        ${asked} select asked.place, usage_entries.pet_id from asked
        cross join usage_entries where usage_entries.created_at between asked.since and asked.until
        and usage_entries.request_id = asked.request_id`)
      // A library comes with its tasks, of which it is the parent: it is what was asked for.
      const created = await select<{ place: number; pet_id: string; id: string }>(sql`
        ${asked} select asked.place, tasks.pet_id, tasks.id from asked
        cross join tasks where tasks.request_id = asked.request_id
        and tasks.created_at between asked.since and asked.until
        and (tasks.kind <> 'diary' or tasks.parent_id is null)`)
      const subjects = new Map<number, CallSubject>()
      for (const { place, pet_id, id } of created) subjects.set(place, { petId: pet_id, taskId: id })
      // The tasks of the library that all pets share are of no pet; the call that had one made is.
      for (const { place, pet_id } of booked) {
        subjects.set(place, { petId: pet_id, taskId: subjects.get(place)?.taskId })
      }
      return calls.map((_, place) => subjects.get(place))
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

/** The calls as rows, each of which is looked up in an index. */
function listAsked(calls: readonly LoggedCall[]): RawBuilder<unknown> {
  const number = (value: number) => sql`cast(${value} as bigint)`
  const rows = calls.map(
    ({ requestId, from, to }, place) =>
      sql`(${number(place)}, cast(${requestId} as text), ${number(from.getTime())}, ${number(to.getTime())})`,
  )
  return sql`with asked (place, request_id, since, until) as (values ${sql.join(rows)})`
}
