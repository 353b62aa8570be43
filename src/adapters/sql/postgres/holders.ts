import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Holders } from '../database.js'
import type { Tables } from '../tables.js'
import { postgresEngine } from './engine.js'
import { retryAfterConflict } from './failures.js'

/** A holder is gone after this time without a beat. A restart of the database takes less. */
const defaultGoneMs = 5000
const beatsUntilGone = 5
/** Rows of holders that are gone are deleted after this time. */
const keptMs = 3_600_000

/**
 * A holder is a row whose time its process renews every second. `db` is for holders only, because others may have taken all
 * connections of a pool.
 *
 * A process judges others only after it has reached the database without a gap for as long as a holder takes to be gone:
 * after an outage, the others need that time to renew their rows. A process that was stopped renews its row when it goes on;
 * what it held is fenced by leases.
 */
export function createHolders(db: Kysely<Tables>, goneMs = defaultGoneMs): Holders {
  const beatMs = goneMs / beatsUntilGone
  const own = new Set<string>()
  let reachedAt = Number.NEGATIVE_INFINITY
  let reachedSince = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function beat(): Promise<void> {
    const ids = [...own]
    const sentAt = performance.now()
    // Also without own holders: only who reaches the database may judge.
    await (ids.length > 0 ? renew(ids) : sql`select 1`.execute(db))
    if (sentAt - reachedAt > goneMs / 2) reachedSince = sentAt
    reachedAt = sentAt
  }

  async function renew(ids: readonly string[]): Promise<void> {
    await db
      .insertInto('holders')
      .values(ids.map((id) => ({ id, beat_at: postgresEngine.now })))
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ beat_at: postgresEngine.now }))
      .execute()
  }

  async function beatAgain(): Promise<void> {
    await beat().catch(() => {})
    if (!closed) timer = setTimeout(beatAgain, beatMs).unref()
  }
  void beatAgain()

  function mayJudge(): boolean {
    const now = performance.now()
    return now - reachedAt <= goneMs / 2 && now - reachedSince >= goneMs
  }

  const isAlive = sql<boolean>`beat_at > ${postgresEngine.now} - ${sql.lit(goneMs)}`

  async function closeOne(id: string): Promise<void> {
    if (own.delete(id)) await retryAfterConflict(() => db.deleteFrom('holders').where('id', '=', id).execute())
  }

  return {
    async open(models) {
      const id = `worker_${randomUUID()}`
      const forgottenAt = sql<number>`${postgresEngine.now} - ${sql.lit(keptMs)}`
      await retryAfterConflict(async () => {
        await renew([id])
        await db
          .updateTable('holders')
          .set({ models: models ?? null })
          .where('id', '=', id)
          .execute()
        await db.deleteFrom('holders').where('beat_at', '<', forgottenAt).execute()
      })
      own.add(id)
      return { id, close: () => closeOne(id) }
    },
    async findAbandoned(ids) {
      const others = ids.filter((id) => !own.has(id))
      if (others.length === 0) return []
      // A holder that was closed has no row.
      const rows = db.selectFrom('holders').select('id').where('id', 'in', others)
      const living = await retryAfterConflict(() => (mayJudge() ? rows.where(isAlive) : rows).execute())
      const alive = new Set(living.map(({ id }) => id))
      return others.filter((id) => !alive.has(id))
    },
    async hasOthers() {
      const living = await retryAfterConflict(() => db.selectFrom('holders').select('id').where(isAlive).execute())
      return living.some(({ id }) => !own.has(id))
    },
    async countOtherModels(models) {
      const query = db.selectFrom('holders').select('id').where(isAlive).where('models', '<>', models)
      const others = await retryAfterConflict(() => query.execute())
      return others.filter(({ id }) => !own.has(id)).length
    },
    async close() {
      closed = true
      clearTimeout(timer)
      for (const id of [...own]) await closeOne(id)
    },
  }
}
