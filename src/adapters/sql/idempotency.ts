import type { Kysely } from 'kysely'
import { isUnavailable } from '../../errors.js'
import type { IdempotencyState, IdempotencyStore } from '../../ports/idempotency.js'
import type { RunWork, StoreParts } from './database.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

/** A reservation that cannot be canceled is retried for longer than any request holds its key. */
const cancelMsAtMost = 300_000

/** A request's hold on an idempotency key. */
interface KeyReservation {
  readonly key: string
  readonly fingerprint: string
  readonly now: number
  readonly held_until: number
  readonly expires_at: number
  readonly holder_id: string
}

/** `close` stops the background work. */
export function createIdempotencyStore(parts: StoreParts): IdempotencyStore & { close(): Promise<void> } {
  const { db, engine, runDurably, holders, openProcessHolder } = parts
  const cancellations = createCancellations()
  const expiredKeys = createExpiredKeys(db, engine, runDurably)

  function release(key: string, heldUntil: number, holderId: string): Promise<unknown> {
    return runDurably(() =>
      db
        .deleteFrom('idempotency_keys')
        .where('key', '=', key)
        .where('held_until', '=', heldUntil)
        .where('holder_id', '=', holderId)
        .where('body', 'is', null)
        .execute(),
    )
  }

  async function begin(reservation: KeyReservation): Promise<IdempotencyState> {
    const { key, fingerprint, held_until } = reservation
    const begun = { state: 'begun', reservation: { key, heldUntil: new Date(held_until) } } as const
    for (;;) {
      if (await runDurably(() => reserveKey(db, reservation))) return begun
      const row = await runDurably(() =>
        db.selectFrom('idempotency_keys').selectAll().where('key', '=', key).executeTakeFirst(),
      )
      // It was released meanwhile.
      if (row === undefined) continue
      if (row.body !== null)
        return row.fingerprint === fingerprint
          ? { state: 'answered', body: JSON.parse(row.body) }
          : { state: 'other_request' }
      // Not compared with the fingerprint: a request in flight may still fail and release the key.
      // If the holder is gone, its process was killed, and no other process will end the reservation.
      if (row.holder_id === null || (await holders.findAbandoned([row.holder_id])).length === 0)
        return { state: 'in_flight' }
      await release(key, row.held_until, row.holder_id)
    }
  }

  return {
    async beginIdempotent(key, fingerprint, now, holdMs, keepMs) {
      const holder_id = await openProcessHolder()
      const [held_until, expires_at] = [now.getTime() + holdMs, now.getTime() + keepMs]
      const reservation = { key, fingerprint, now: now.getTime(), held_until, expires_at, holder_id }
      expiredKeys.clearSoon(now.getTime())
      try {
        return await begin(reservation)
      } catch (error) {
        // The key may be reserved although the response is lost.
        if (isUnavailable(error))
          cancellations.cancelLater(`${key} ${held_until}`, () => release(key, held_until, holder_id), holdMs)
        throw error
      }
    },
    async cancelReservation({ key, heldUntil }) {
      const holderId = await openProcessHolder()
      const until = heldUntil.getTime()
      await cancellations.cancel(`${key} ${until}`, () => release(key, until, holderId), cancelMsAtMost)
    },
    async close() {
      cancellations.close()
      await expiredKeys.close()
    },
  }
}

/** Returns true if the key was free. */
async function reserveKey(
  db: Kysely<Tables>,
  { key, fingerprint, now, held_until, expires_at, holder_id }: KeyReservation,
): Promise<boolean> {
  const change = { fingerprint, body: null, held_until, expires_at, holder_id }
  const { numInsertedOrUpdatedRows } = await db
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
  return numInsertedOrUpdatedRows === 1n
}

const retryMs = 500

/** Frees what would otherwise be held until it expires, because the database was lost when it should have been released. */
function createCancellations() {
  const left = new Map<string, { readonly work: () => Promise<unknown>; readonly until: number }>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function schedule(): void {
    if (left.size > 0 && !isClosed) timer ??= setTimeout(retryAll, retryMs).unref()
  }

  async function retryAll(): Promise<void> {
    for (const [key, { work, until }] of [...left]) {
      try {
        await work()
        left.delete(key)
      } catch {
        // The caller was told already.
        if (performance.now() > until) left.delete(key)
      }
    }
    timer = undefined
    schedule()
  }

  /** Cancels in the background. */
  function cancelLater(key: string, work: () => Promise<unknown>, untilMs: number): void {
    left.set(key, { work, until: performance.now() + untilMs })
    schedule()
  }

  return {
    cancelLater,
    /** Cancels now. If the database is unavailable, rejects, and retries in the background until `untilMs` from now. */
    async cancel(key: string, work: () => Promise<unknown>, untilMs: number): Promise<void> {
      try {
        await work()
      } catch (error) {
        if (isUnavailable(error)) cancelLater(key, work, untilMs)
        throw error
      }
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

const intervalMs = 60_000
/** Keeps a deletion within a few milliseconds. */
const rowsAtOnce = 200

/** Deletes expired idempotency keys in the background: soon after the first key of a process, and then every minute. */
function createExpiredKeys(db: Kysely<Tables>, engine: Engine, runDurably: RunWork) {
  let latest = 0
  let timer: NodeJS.Timeout | undefined
  let clearing: Promise<void> | undefined
  let waitMs = 0
  let isClosed = false

  function clearSoon(now: number): void {
    latest = Math.max(latest, now)
    if (!isClosed)
      timer ??= setTimeout(() => {
        clearing = clearAll().catch(() => {})
      }, waitMs).unref()
  }

  async function clearAll(): Promise<void> {
    waitMs = intervalMs
    timer = undefined
    while (!isClosed && (await clear(latest)) === rowsAtOnce);
  }

  /** Returns the number of deleted keys. */
  async function clear(now: number): Promise<number> {
    const { numDeletedRows } = await runDurably(() =>
      db
        .deleteFrom('idempotency_keys')
        .where('key', 'in', (from) =>
          from
            .selectFrom('idempotency_keys')
            .select('key')
            .where('expires_at', '<=', now)
            .limit(rowsAtOnce)
            .modifyEnd(engine.lockFreeRows),
        )
        .executeTakeFirst(),
    )
    return Number(numDeletedRows)
  }

  return {
    clearSoon,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await clearing
    },
  }
}
