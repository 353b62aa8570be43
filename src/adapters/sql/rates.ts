import type { Transaction } from 'kysely'
import type { RateGrant, RateRequest, RateStore } from '../../ports/store.js'
import type { StoreParts } from './database.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

const windowMs = 60_000
/** Calls are stored per tenth of a second, so a key has at most 600 rows, for any limit. */
const slotMs = 100

/**
 * A sliding window over rows of (key, slot, calls). A slot is the end of its tenth of a second, so a call counts for 60
 * to 60.1 seconds: never more than the limit is accepted in any 60 seconds. The key's turn makes count and grant atomic.
 * A power loss may forget counted calls: with a sync for each grant, all calls of a key would wait for the disk.
 */
export function createRateStore({ db, engine, commit, leaveUnsynced = (work) => work() }: StoreParts): RateStore {
  return {
    grantCalls: (request) =>
      commit(() => db.transaction().execute((tx) => leaveUnsynced(() => grant(tx, engine, request)))),
  }
}

async function grant(
  tx: Transaction<Tables>,
  engine: Engine,
  { keyId, limit, wanted, usedBy, now, unused }: RateRequest,
): Promise<RateGrant> {
  await engine.takeTurn(tx, `rate of ${keyId}`)
  await tx
    .deleteFrom('rate_slots')
    .where('key_id', '=', keyId)
    .where('slot_at', '<=', now - windowMs)
    .execute()
  if (unused !== undefined && unused.calls > 0) {
    await tx
      .updateTable('rate_slots')
      .set((set) => ({ calls: set('calls', '-', unused.calls) }))
      .where('key_id', '=', keyId)
      .where('slot_at', '=', toSlot(unused.usedBy))
      .execute()
  }
  const { total, oldest } = await tx
    .selectFrom('rate_slots')
    .select(({ fn }) => [fn.sum<number | null>('calls').as('total'), fn.min('slot_at').as('oldest')])
    .where('key_id', '=', keyId)
    .where('calls', '>', 0)
    // A clock that was set back leaves slots in the future; they must not block the key until then.
    .where('slot_at', '<', now + windowMs)
    .executeTakeFirstOrThrow()
  const counted = Number(total ?? 0)
  const granted = Math.max(0, Math.min(wanted, limit - counted))
  if (granted > 0) {
    await tx
      .insertInto('rate_slots')
      .values({ key_id: keyId, slot_at: toSlot(usedBy), calls: granted })
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'slot_at']).doUpdateSet((set) => ({
          calls: set('rate_slots.calls', '+', granted),
        })),
      )
      .execute()
  }
  return { granted, counted: counted + granted, oldestLeavesAt: (oldest ?? toSlot(usedBy)) + windowMs }
}

function toSlot(time: number): number {
  return Math.ceil(time / slotMs) * slotMs
}
