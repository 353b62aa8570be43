import type { Kysely, Transaction } from 'kysely'
import type { IdempotencyState, IdempotencyStore } from '../../ports/idempotency.js'
import type { Holder } from '../../ports/queue.js'
import type { Holders, RetryWhileBusy } from './database.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

/** Each new key deletes up to this many expired keys, so no bulk deletion is needed. */
const clearedAtOnce = 4

/** The requests of this process have their own holder, which is closed with the store. */
export function createIdempotencyStore(
  db: Kysely<Tables>,
  engine: Engine,
  retryWhileBusy: RetryWhileBusy,
  holders: Holders,
): IdempotencyStore {
  let holder: Promise<Holder> | undefined

  async function openHolder(): Promise<Holder> {
    holder ??= holders.open()
    try {
      return await holder
    } catch (error) {
      holder = undefined
      throw error
    }
  }

  return {
    async beginIdempotent(key, fingerprint, now, holdMs, keepMs) {
      const { id: holderId } = await openHolder()
      const request = { key, fingerprint, now: now.getTime(), holdMs, keepMs, holderId }
      return retryWhileBusy(() => db.transaction().execute((tx) => begin(tx, engine, request, holders)))
    },
    async cancelReservation({ key, heldUntil }) {
      await retryWhileBusy(() =>
        db
          .deleteFrom('idempotency_keys')
          .where('key', '=', key)
          .where('held_until', '=', heldUntil.getTime())
          .where('body', 'is', null)
          .execute(),
      )
    },
  }
}

interface ReservationRequest {
  readonly key: string
  readonly fingerprint: string
  readonly now: number
  readonly holdMs: number
  readonly keepMs: number
  readonly holderId: string
}

async function begin(
  tx: Transaction<Tables>,
  engine: Engine,
  request: ReservationRequest,
  holders: Holders,
): Promise<IdempotencyState> {
  const { key, fingerprint, now, holdMs, keepMs, holderId } = request
  const begun = { state: 'begun', reservation: { key, heldUntil: new Date(now + holdMs) } } as const
  const change = {
    fingerprint,
    body: null,
    held_until: now + holdMs,
    expires_at: now + keepMs,
    holder_id: holderId,
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_keys')
    .values({ key, ...change })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(change)
        .where((where) =>
          where.or([
            where('idempotency_keys.expires_at', '<=', now),
            where.and([where('idempotency_keys.body', 'is', null), where('idempotency_keys.held_until', '<=', now)]),
          ]),
        ),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) {
    await clearExpired(tx, engine, now)
    return begun
  }
  const row = await tx.selectFrom('idempotency_keys').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
  // Not compared with the fingerprint: a request in flight may still fail and release the key.
  if (row.body === null) {
    // If the holder is gone, its process was killed, and nobody else will end the reservation.
    if (row.holder_id === null || (await holders.findAbandoned([row.holder_id])).length === 0)
      return { state: 'in_flight' }
    await tx.updateTable('idempotency_keys').set(change).where('key', '=', key).execute()
    return begun
  }
  return row.fingerprint === fingerprint
    ? { state: 'answered', body: JSON.parse(row.body) }
    : { state: 'other_request' }
}

async function clearExpired(tx: Transaction<Tables>, engine: Engine, now: number): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('key', 'in', (from) =>
      from
        .selectFrom('idempotency_keys')
        .select('key')
        .where('expires_at', '<=', now)
        .limit(clearedAtOnce)
        .modifyEnd(engine.lockFreeRows),
    )
    .execute()
}
