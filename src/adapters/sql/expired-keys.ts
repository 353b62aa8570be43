import type { Kysely } from 'kysely'
import type { RunWork } from './database.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

const intervalMs = 60_000
/** Keeps a deletion within a few milliseconds. */
const rowsAtOnce = 200

/** Deletes expired idempotency keys in the background: soon after the first key of a process, and then every minute. */
export function createExpiredKeys(db: Kysely<Tables>, engine: Engine, runDurably: RunWork) {
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
