import type { Insertable, Kysely } from 'kysely'
import type { Task } from '../../ports/tasks.js'
import type { LedgerEntry } from '../../ports/usage.js'
import type { Tables } from './tables.js'

interface Booking {
  readonly unit: { readonly id: string; readonly claims: number }
  readonly task: Pick<Task, 'id' | 'keyId' | 'owner'>
  readonly usage: LedgerEntry & { readonly delivered: boolean }
  readonly now: number
}

/** Books a call on the task's owner and key. An interrupted claim used a number too, so `attempt` may have gaps. */
export async function insertLedgerEntry(tx: Kysely<Tables>, { unit, task, usage, now }: Booking): Promise<void> {
  const row: Insertable<Tables['usage_ledger']> = {
    unit_id: unit.id,
    attempt: unit.claims,
    task_id: task.id,
    key_id: task.keyId,
    user_id: task.owner.userId,
    pet_id: task.owner.petId,
    missing: JSON.stringify(task.owner.missing),
    model: usage.model,
    unit: usage.unit,
    quantity: usage.quantity,
    delivered: usage.delivered ? usage.quantity : 0,
    cost_micros: usage.costMicros,
    certain: usage.certain ? 1 : 0,
    maybe_duplicate: usage.maybeDuplicate ? 1 : 0,
    created_at: now,
  }
  await tx.insertInto('usage_ledger').values(row).execute()
}
