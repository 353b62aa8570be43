import type { CallSubject, RequestStore } from '../../ports/store.js'
import type { LedgerEntry } from '../../ports/usage.js'
import type { StoreParts } from './database.js'

export function createRequestStore({ db, runDurably }: StoreParts): RequestStore {
  return {
    async findSubjects(callIds) {
      const subjects = new Map<string, CallSubject>()
      if (callIds.length === 0) return subjects
      const tasks = await runDurably(() =>
        db
          .selectFrom('tasks')
          .select(['call_id', 'id', 'pet_id'])
          .where('call_id', 'in', callIds)
          // Without a library's children: the library is the task that the call asked for.
          .where((where) => where.or([where('kind', '<>', 'diary'), where('parent_id', 'is', null)]))
          .orderBy('id')
          .execute(),
      )
      const bookings = await runDurably(() =>
        db.selectFrom('usage_entries').select(['call_id', 'pet_id']).where('call_id', 'in', callIds).execute(),
      )
      for (const { call_id, id, pet_id } of tasks) subjects.set(call_id ?? '', { petId: pet_id, taskId: id })
      for (const { call_id, pet_id } of bookings) {
        // A shared picture's task belongs to no pet; the call that had it painted is booked on one.
        subjects.set(call_id ?? '', { petId: pet_id, taskId: subjects.get(call_id ?? '')?.taskId })
      }
      return subjects
    },
    async findPets(taskIds) {
      if (taskIds.length === 0) return new Map()
      const rows = await runDurably(() =>
        db.selectFrom('tasks').select(['id', 'pet_id']).where('id', 'in', taskIds).execute(),
      )
      return new Map(rows.map((row) => [row.id, row.pet_id]))
    },
    async listLedger(taskId) {
      // A unit ID is the task's ID, a slash and a number. `0` is the byte after `/`: text must be ordered by its bytes, on
      // PostgreSQL too.
      const rows = await runDurably(() =>
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
