import { sql, type Transaction } from 'kysely'
import type { BreakerStore } from '../../ports/store.js'
import type { StoreParts } from './database.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

/** For the first opening; doubles with each one after it. */
const openMs = 30_000
export const openMsAtMost = 600_000

/** A row is a breaker that was opened and not closed since. It is open until `open_until`. */
export function createBreakerStore({ db, engine, runDurably }: StoreParts): BreakerStore {
  return {
    failBreaker: (...call) => runDurably(() => db.transaction().execute((tx) => fail(tx, engine, call))),
    async closeBreakers(providers) {
      if (providers.length === 0) return false
      const { numDeletedRows } = await runDurably(() =>
        db.deleteFrom('breakers').where('provider', 'in', providers).executeTakeFirst(),
      )
      return numDeletedRows > 0n
    },
    async findTrouble(provider) {
      const row = await runDurably(() =>
        db
          .selectFrom('breakers')
          .select('trouble')
          .where('provider', '=', provider)
          .where('open_until', '>', engine.now)
          .executeTakeFirst(),
      )
      return row?.trouble
    },
  }
}

/**
 * Returns how many more units may be claimed of each provider whose breaker was opened and not closed since: 0 while it is
 * open, then one as a trial. Units claimed before it opened do not count as the trial.
 */
export async function findLimits(tx: Transaction<Tables>, now: number): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .selectFrom('breakers')
    .select((from) => [
      'provider',
      'open_until',
      from
        .selectFrom('units')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(sql<boolean>`status = 'processing'`)
        .whereRef('units.provider', '=', 'breakers.provider')
        .whereRef('claimed_at', '>=', 'open_until')
        .as('trials'),
    ])
    .execute()
  return new Map(
    rows.map(({ provider, open_until, trials }) => [provider, open_until > now ? 0 : Math.max(0, 1 - Number(trials))]),
  )
}

async function fail(
  tx: Transaction<Tables>,
  engine: Engine,
  [provider, trouble, isEnough]: Parameters<BreakerStore['failBreaker']>,
): Promise<number | undefined> {
  await engine.takeTurn(tx, 'breakers')
  const { now } = await tx.selectNoFrom(engine.now.as('now')).executeTakeFirstOrThrow()
  const row = await tx
    .selectFrom('breakers')
    .select(['open_until', 'openings'])
    .where('provider', '=', provider)
    .executeTakeFirst()
  // Calls that began before the breaker opened do not prolong it.
  if (row === undefined ? !isEnough : row.open_until > now) return undefined
  const openings = row?.openings ?? 0
  const delayMs = Math.min(openMs * 2 ** openings, openMsAtMost)
  const values = { trouble, open_until: now + delayMs, openings: openings + 1 }
  await tx
    .insertInto('breakers')
    .values({ provider, ...values })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(values))
    .execute()
  return delayMs
}
