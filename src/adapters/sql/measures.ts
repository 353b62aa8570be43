import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MeasuredStore, QueueMeasure } from '../../ports/measures.js'
import type { RetryWhileBusy } from './database.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

interface StateRow {
  readonly provider: string
  readonly status: 'pending' | 'processing'
  readonly units: number
  readonly due_ms: number
}

/** Reads unfinished units only: the time does not grow with those that ended. */
export function createMeasureQueue(
  db: Kysely<Tables>,
  engine: Engine,
  retryWhileBusy: RetryWhileBusy,
): MeasuredStore['measureQueue'] {
  // Literals, not parameters: the engine must see that the conditions match partial indexes.
  const select = (status: StateRow['status']) => sql`
    select provider, ${sql.lit(status)} as status, count(*) as units, ${engine.now} - min(run_at) as due_ms
    from units where status = ${sql.lit(status)} group by provider`
  return async () => {
    const states: RawBuilder<StateRow> = sql`${select('pending')} union all ${select('processing')}`
    const { rows } = await retryWhileBusy(() => states.execute(db))
    const breakers = await retryWhileBusy(() =>
      db
        .selectFrom('breakers')
        .select((column) => ['provider', column('open_until', '>', engine.now).as('open')])
        .execute(),
    )
    const find = (provider: string, state: StateRow['status']) =>
      rows.find((row) => row.provider === provider && row.status === state)
    return {
      queues: [...new Set(rows.map(({ provider }) => provider))].map((provider): QueueMeasure => {
        const pending = find(provider, 'pending')
        return {
          provider,
          pending: Number(pending?.units ?? 0),
          inWork: Number(find(provider, 'processing')?.units ?? 0),
          oldestDueMs: Math.max(0, Number(pending?.due_ms ?? 0)),
        }
      }),
      breakers: breakers.map(({ provider, open }) => ({ provider, isOpen: Boolean(open) })),
    }
  }
}
