import { type Kysely, sql, type Transaction } from 'kysely'
import type { BreakerStore, Trouble } from '../../ports/breakers.js'
import type { Attempt } from './attempt.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

/** Of the first time. */
const openMs = 30_000
const openMsAtMost = 600_000

/** A row is a breaker that was opened and not closed since; it is open until its time. */
export function createBreakerStore(db: Kysely<Tables>, engine: Engine, attempt: Attempt): BreakerStore {
  return {
    failBreaker: (provider, trouble, isEnough) =>
      attempt(() => db.transaction().execute((tx) => fail(tx, engine, { provider, trouble, isEnough }))),
    async closeBreakers(providers) {
      if (providers.length === 0) return false
      const { numDeletedRows } = await attempt(() =>
        db.deleteFrom('breakers').where('provider', 'in', providers).executeTakeFirst(),
      )
      return numDeletedRows > 0n
    },
    async findTrouble(provider) {
      const row = await attempt(() =>
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
 * How many more units of a provider may be claimed, for those whose breaker was opened and not closed since: none while it is
 * open, then one to try. What was in work before tells nothing, however long it takes.
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
        .as('trying'),
    ])
    .execute()
  return new Map(
    rows.map(({ provider, open_until, trying }) => [provider, open_until > now ? 0 : Math.max(0, 1 - Number(trying))]),
  )
}

interface FailedCall {
  readonly provider: string
  readonly trouble: Trouble
  readonly isEnough: boolean
}

async function fail(
  tx: Transaction<Tables>,
  engine: Engine,
  { provider, trouble, isEnough }: FailedCall,
): Promise<number | undefined> {
  await engine.takeTurn(tx, 'breakers')
  const { now } = await tx.selectNoFrom(engine.now.as('now')).executeTakeFirstOrThrow()
  const row = await tx
    .selectFrom('breakers')
    .select(['open_until', 'openings'])
    .where('provider', '=', provider)
    .executeTakeFirst()
  // Of calls that began before it opened, none opens it further.
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
