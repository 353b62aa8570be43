import { type RawBuilder, sql } from 'kysely'
import type { MeasuredStore, QueueMeasure } from '../../ports/store.js'
import { awaitedRunAt } from './create-tasks.js'
import type { StoreParts } from './database.js'

/** Counting a million entries of an index takes a tenth of a second, for each scrape of each process. */
export const countedAtMost = 10_000

interface QueueRow {
  readonly provider: string
  readonly pending: number
  readonly due_ms: number | null
  readonly in_work: number
}

// Literals, not parameters: the engine must see that the conditions match partial indexes.
const isPending = sql`status = 'pending'`
const isInWork = sql`status = 'processing'`

/** Steps from one provider of waiting units to the next in their index: `distinct` would read all of them. */
export const selectWaiting: RawBuilder<{ provider: string }> = sql`
  with recursive waiting (provider) as (
    select min(provider) from units where ${isPending}
    union all
    select (select min(provider) from units where ${isPending} and provider > waiting.provider) from waiting
    where waiting.provider is not null
  ) select provider from waiting where provider is not null`

/** Reads unfinished units only, and counts up to a limit: the time grows neither with those that ended nor with the queue. */
export function createMeasureQueue({ db, engine, commit }: StoreParts): MeasuredStore['measureQueue'] {
  // No more units are in work than there are slots.
  const select: RawBuilder<QueueRow> = sql`
    select provider,
      (select count(*) from (
        select 1 from units where ${isPending} and provider = queues.provider limit ${sql.lit(countedAtMost)}
      ) as counted) as pending,
      ${engine.now} - (
        select run_at from units where ${isPending} and provider = queues.provider and run_at > ${sql.lit(awaitedRunAt)}
        order by run_at limit 1
      ) as due_ms,
      coalesce((select units from in_work where in_work.provider = queues.provider), 0) as in_work
    from (select provider from (${selectWaiting}) as waiting union select provider from in_work) as queues`
  const query: RawBuilder<QueueRow> = sql`
    with in_work as (select provider, count(*) as units from units where ${isInWork} group by provider) ${select}`
  return async () => {
    const { rows } = await commit(() => query.execute(db))
    const breakers = await commit(() =>
      db
        .selectFrom('breakers')
        .select((column) => ['provider', column('open_until', '>', engine.now).as('open')])
        .execute(),
    )
    return {
      queues: rows.map(
        ({ provider, pending, due_ms, in_work }): QueueMeasure => ({
          provider,
          pending: Number(pending),
          inWork: Number(in_work),
          oldestDueMs: Math.max(0, Number(due_ms ?? 0)),
        }),
      ),
      breakers: breakers.map(({ provider, open }) => ({ provider, isOpen: Boolean(open) })),
    }
  }
}
