import type { HotQueries } from '../database.js'
import { type FeedbackRow, toFeedbackRow } from '../feedback.js'
import { createBatch } from './batch.js'
import type { RunStatement } from './connection.js'
import { createValues } from './values.js'

const callsAtOnce = 50

/** Saves the feedback of concurrent calls in one statement. A call with an unknown key saves nothing. */
export function createSaveFeedback(run: RunStatement): HotQueries['saveFeedback'] {
  const save = createBatch((calls: readonly (readonly FeedbackRow[])[]) => saveAll(run, calls), {
    itemsAtMost: callsAtOnce,
    runsAtMost: 1,
  })
  return (feedback, now) => save(feedback.map((entry) => toFeedbackRow(entry, now)))
}

const columns = { object_key: 'text', liked: 'integer', selected: 'integer', updated_at: 'bigint' } as const

/** Returns the unknown keys of each call. */
async function saveAll(run: RunStatement, calls: readonly (readonly FeedbackRow[])[]): Promise<string[][]> {
  const { values, addRows } = createValues()
  const rows = calls.flatMap((call, place) => call.map((row) => ({ ...row, call: place })))
  const source = addRows('given', { ...columns, call: 'integer' }, rows)
  const last = (name: string) => `(array_agg(${name} order by call desc) filter (where ${name} is not null))[1]`
  // A value that is null keeps the stored one. In the order of the keys, so that no two statements wait for each other.
  const text = `
    with given as materialized (select * from ${source}),
    unknown as materialized (
      select call, object_key from given where not exists (select from units where units.image_key = given.object_key)
    ),
    saved as (
      insert into feedback (${Object.keys(columns).join(', ')})
        select object_key, ${last('liked')}, ${last('selected')}, max(updated_at) from given
          where call not in (select call from unknown) group by object_key order by object_key
        on conflict (object_key) do update set liked = coalesce(excluded.liked, feedback.liked),
          selected = coalesce(excluded.selected, feedback.selected), updated_at = excluded.updated_at
    )
    select call, object_key from unknown`
  const unknown = await run<{ call: number; object_key: string }>(text, values)
  return calls.map((_, place) => unknown.flatMap(({ call, object_key: key }) => (call === place ? [key] : [])))
}
