import { type RawBuilder, sql } from 'kysely'

export interface PruneOptions {
  /** In place of the following: the condition for the tasks to prune, in any state. */
  readonly isOwned?: RawBuilder<boolean>

  /** Tasks that ended before this time are pruned, epoch milliseconds. */
  readonly before: number
  /** True if avatars with an identity asset are pruned too. */
  readonly identityAssets: boolean
}

const finalStatuses = sql`('success', 'partial_success', 'failed', 'delete_failed')`
/** The condition for a task that does not change any more. */
export const isFinal = sql<boolean>`status in ${finalStatuses}`

/** Like `exists`, which PostgreSQL may turn into a hash of all tasks that the query finds for any row. */
const findsOne = (query: RawBuilder<unknown>) => sql`(${query} limit 1) is not null`

/** Returns the condition for tasks of the table `tasks` that are pruned. Without parameters, for use in several places. */
export function isPrunable({ before, identityAssets }: PruneOptions): RawBuilder<boolean> {
  const time = sql.lit(before)
  const isOld = (task: string) =>
    sql`${sql.ref(`${task}.finished_at`)} > 0 and ${sql.ref(`${task}.finished_at`)} < ${time}
      and ${sql.ref(`${task}.status`)} in ${finalStatuses}`
  const hasYoungChild = (task: string) =>
    findsOne(
      sql`select 1 from tasks as child where child.parent_id = ${sql.ref(`${task}.id`)} and not (${isOld('child')})`,
    )
  // A library is pruned with all its tasks or not at all. Its own row has no end.
  const isLibrary = (task: string) =>
    sql`${sql.ref(`${task}.kind`)} = 'diary_library' and ${sql.ref(`${task}.created_at`)} < ${time}
      and not ${hasYoungChild(task)}`
  const isAvatar = (task: string) =>
    sql`${isOld(task)} and (${identityAssets ? sql`true` : sql`${sql.ref(`${task}.status`)} <> 'success'`})
      and not ${hasYoungChild(task)}`
  const keptParent = (condition: RawBuilder<unknown>) =>
    findsOne(sql`select 1 from tasks as parent where parent.id = tasks.parent_id and ${condition}`)
  const isNewest = sql`tasks.id = (select newest.id from tasks as newest
    where newest.parent_id = tasks.parent_id and newest.kind = 'animation' and newest.status <> 'deleting'
    order by newest.created_at desc, newest.id desc limit 1)`
  return sql<boolean>`case tasks.kind
    when 'diary_library' then ${isLibrary('tasks')}
    when 'diary' then ${isOld('tasks')} and not ${keptParent(sql`not (${isLibrary('parent')})`)}
    when 'avatar' then ${isAvatar('tasks')}
    when 'animation' then ${isOld('tasks')} and not (${isNewest}
      and ${keptParent(sql`parent.kind = 'avatar' and parent.status = 'success' and not (${isAvatar('parent')})`)})
    else ${isOld('tasks')} end`
}
