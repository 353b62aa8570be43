import type { Kysely, RawBuilder } from 'kysely'
import type { RequestStore } from '../../ports/requests.js'
import type { LedgerEntry } from '../../ports/tasks.js'
import type { Attempt } from './attempt.js'
import { pairNearest, selectBooked, selectTasks } from './created-rows.js'
import type { Tables } from './tables.js'

export function createRequestStore(db: Kysely<Tables>, attempt: Attempt): RequestStore {
  async function select<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await attempt(() => query.execute(db))).rows
  }

  return {
    async findSubjects(calls) {
      if (calls.length === 0) return []
      const bookings = pairNearest(calls, await select(selectBooked(calls)))
      const tasks = pairNearest(calls, await select(selectTasks(calls)))
      return calls.map((call) => {
        const [booking, task] = [bookings.get(call), tasks.get(call)]
        // The tasks of the library that all pets share are of no pet; the call that had one made is.
        const petId = booking?.pet_id ?? task?.pet_id
        return petId === undefined ? undefined : { petId, taskId: task?.id }
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
      // The key of a row begins with its unit's, and that with the task's: `0` comes after `/` where text is ordered by its
      // bytes, as it must be on PostgreSQL too.
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
