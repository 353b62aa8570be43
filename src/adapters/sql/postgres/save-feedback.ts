import type { HotQueries } from '../database.js'
import { toFeedbackRow } from '../feedback.js'
import type { Run } from './connection.js'
import { createValues } from './values.js'

const columns = { object_key: 'text', liked: 'integer', selected: 'integer', updated_at: 'bigint' } as const

/** Saves the feedback of a call in one statement, in the order of the keys, so that no two statements wait for each other. */
export function createSaveFeedback(run: Run): HotQueries['saveFeedback'] {
  return async (feedback, now) => {
    const { values, addRows } = createValues()
    const source = addRows(
      'given',
      columns,
      feedback.map((entry) => toFeedbackRow(entry, now)),
    )
    const names = Object.keys(columns).join(', ')
    // A value that is null keeps the stored one.
    const text = `
      with given as materialized (select * from ${source}),
      unknown as (
        select object_key from given where not exists (select from units where units.image_key = given.object_key)
      ),
      saved as (
        insert into feedback (${names}) select ${names} from given where not exists (select from unknown) order by object_key
          on conflict (object_key) do update set liked = coalesce(excluded.liked, feedback.liked),
            selected = coalesce(excluded.selected, feedback.selected), updated_at = excluded.updated_at
      )
      select object_key from unknown`
    return (await run<{ object_key: string }>(text, values)).map(({ object_key }) => object_key)
  }
}
