import { nowText } from './engine.js'

/**
 * CTEs that show the units of the CTE `from`, with `task_id` and `name`, in the rows of their tasks. `tasks_shown` returns
 * the new rows. Rows are locked in one order, so that no two statements wait for each other. Lists of JSON are edited here,
 * because a process that reads and then writes would keep the rows locked in between. Rows are found by arrays of IDs: for a
 * join, the planner might read the whole table.
 */
export function showUnits(from: string, unitStatus: 'pending' | 'processing', taskStatus: string): string {
  return `
    tasks_locked as materialized (
      select id from tasks where id = any (array (select task_id from ${from})) order by id for update
    ),
    tasks_shown as (
      update tasks set status = ${taskStatus}, updated_at = ${nowText}, units = (
        select jsonb_agg(case when unit ->> 'name' in (select name from ${from} where task_id = tasks.id)
            then jsonb_set(unit, '{status}', '"${unitStatus}"') else unit end order by place)::text
          from jsonb_array_elements(tasks.units::jsonb) with ordinality as list (unit, place))
        where tasks.id = any (array (select id from tasks_locked))
        returning tasks.*
    )`
}
