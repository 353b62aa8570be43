import { type Kysely, sql } from 'kysely'
import type { Task, TaskStore } from '../../ports/tasks.js'
import type { Attempt } from './attempt.js'
import { createTaskCreators } from './creations.js'
import type { Direct } from './direct.js'
import type { Engine } from './engine.js'
import type { OnGroupWritten } from './journal.js'
import { offsetOf } from './offset.js'
import type { Tables } from './tables.js'
import { fromTaskRow, toUnitId } from './task-row.js'

export interface TaskStoreParts {
  readonly db: Kysely<Tables>
  readonly direct: Direct
  readonly engine: Engine
  readonly attempt: Attempt
  readonly onGroupWritten: OnGroupWritten
}

export function createTaskStore({ db, direct, engine, attempt, onGroupWritten }: TaskStoreParts): TaskStore {
  async function changeStatus(id: string, from: readonly Task['status'][], status: Task['status']): Promise<boolean> {
    const { numUpdatedRows } = await attempt(() =>
      db
        .updateTable('tasks')
        .set({ status, updated_at: engine.now })
        .where('id', '=', id)
        .where('status', 'in', from)
        .executeTakeFirst(),
    )
    return numUpdatedRows === 1n
  }

  return {
    ...createTaskCreators(db, engine, attempt, onGroupWritten),
    async findTask(id) {
      const row = await attempt(() => direct.findTask(id))
      return row && fromTaskRow(row)
    },
    async listFinishedAvatars(userId, page, pageSize) {
      const avatars = db
        .selectFrom('tasks')
        .where('user_id', '=', userId)
        // As text, not as parameters: so the engine sees that the partial index holds these rows.
        .where(sql<boolean>`kind = 'avatar' and status = 'success'`)
      const { total } = await attempt(() =>
        avatars.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      )
      const rows = await attempt(() =>
        avatars
          .selectAll()
          .orderBy('finished_at', 'desc')
          .orderBy('id', 'desc')
          .limit(pageSize)
          .offset(offsetOf(page, pageSize))
          .execute(),
      )
      return { total: Number(total), items: rows.map(fromTaskRow) }
    },
    async findNewestAnimations(avatarTaskIds) {
      if (avatarTaskIds.length === 0) return new Map()
      const all = await attempt(() =>
        db
          .selectFrom('tasks')
          .select(['id', 'parent_id'])
          .where('parent_id', 'in', avatarTaskIds)
          .where('kind', '=', 'animation')
          .where('status', '<>', 'deleting')
          .orderBy('created_at')
          .orderBy('id')
          .execute(),
      )
      const newest = [...new Map(all.map(({ id, parent_id }) => [parent_id, id])).values()]
      if (newest.length === 0) return new Map()
      const rows = await attempt(() => db.selectFrom('tasks').selectAll().where('id', 'in', newest).execute())
      return new Map(rows.map((row) => [row.parent_id ?? '', fromTaskRow(row)]))
    },
    beginDelete: (id, from) => changeStatus(id, from, 'deleting'),
    async failDelete(id) {
      await changeStatus(id, ['deleting'], 'delete_failed')
    },
    async finishDelete(id) {
      await attempt(() =>
        db.transaction().execute(async (tx) => {
          const row = await tx
            .deleteFrom('tasks')
            .where('id', '=', id)
            .where('status', '=', 'deleting')
            .returningAll()
            .executeTakeFirst()
          if (row === undefined) return
          const unitIds = fromTaskRow(row).units.map((_, place) => toUnitId(id, place))
          await tx.deleteFrom('units').where('id', 'in', unitIds).execute()
        }),
      )
    },
    async listDeleting() {
      const rows = await attempt(() =>
        db.selectFrom('tasks').selectAll().where(sql<boolean>`status = 'deleting'`).orderBy('id').execute(),
      )
      return rows.map(fromTaskRow)
    },
  }
}
