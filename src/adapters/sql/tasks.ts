import { sql } from 'kysely'
import type { Task, TaskStore } from '../../ports/tasks.js'
import { createTaskCreators } from './create-tasks.js'
import type { StoreParts } from './database.js'
import { readPage } from './pages.js'
import { fromTaskRow, toUnitId } from './task-row.js'

export function createTaskStore(parts: StoreParts): TaskStore {
  const { db, hotQueries, engine, runDurably, holders, openProcessHolder } = parts
  async function changeStatus(
    id: string,
    from: readonly Task['status'][],
    status: Task['status'],
    deleter: string | null = null,
  ): Promise<boolean> {
    const { numUpdatedRows } = await runDurably(() =>
      db
        .updateTable('tasks')
        .set({ status, deleter, updated_at: engine.now })
        .where('id', '=', id)
        .where('status', 'in', from)
        .executeTakeFirst(),
    )
    return numUpdatedRows === 1n
  }

  return {
    ...createTaskCreators(parts),
    async findTask(id) {
      const row = await runDurably(() => hotQueries.findTask(id))
      return row && fromTaskRow(row)
    },
    async listTasks({ userId, petId, status }, limit) {
      // Literals, not parameters: the engine must see that the conditions match partial indexes.
      const isAsked = status === undefined ? sql<boolean>`true` : sql<boolean>`status = ${sql.lit(status)}`
      const pendingIds = sql<string>`(select task_id from units where status = 'pending')`
      const list = (atMost: number) =>
        db
          .selectFrom('tasks')
          .selectAll()
          .where(isAsked)
          // A library has no units, and its row stays pending.
          .$if(status === 'pending', (query) => query.where('id', 'in', pendingIds))
          .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
          .$if(petId !== undefined, (query) => query.where('pet_id', '=', petId ?? ''))
          .limit(atMost)
      const listByTime = (atMost: number) => list(atMost).orderBy('created_at', 'desc').orderBy('id', 'desc')
      // The index of call IDs, which begin with their times, has nearly all of these first.
      const isMostTasks = userId === undefined && petId === undefined && (status ?? 'success') === 'success'
      if (!isMostTasks) return (await runDurably(() => listByTime(limit).execute())).map(fromTaskRow)
      const ofCalls = list(limit).where('call_id', 'is not', null).orderBy('call_id', 'desc').orderBy('id', 'desc')
      const rows = await runDurably(() => ofCalls.execute())
      // Tasks of older versions.
      const older = listByTime(limit - rows.length).where('call_id', 'is', null)
      if (rows.length < limit) rows.push(...(await runDurably(() => older.execute())))
      return rows.map(fromTaskRow)
    },
    async listFinishedAvatars(userId, page, pageSize) {
      const avatars = db
        .selectFrom('tasks')
        .where('user_id', '=', userId)
        // Literals, not parameters: the engine must see that the condition matches the partial index.
        .where(sql<boolean>`kind = 'avatar' and status = 'success'`)
      const { total, items } = await readPage(runDurably, avatars, 'finished_at', { page, pageSize })
      return { total, items: items.map(fromTaskRow) }
    },
    async findNewestAnimations(avatarTaskIds) {
      if (avatarTaskIds.length === 0) return new Map()
      const all = await runDurably(() =>
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
      const rows = await runDurably(() => db.selectFrom('tasks').selectAll().where('id', 'in', newest).execute())
      return new Map(rows.map((row) => [row.parent_id ?? '', fromTaskRow(row)]))
    },
    beginDelete: async (id, from) => changeStatus(id, from, 'deleting', await openProcessHolder()),
    async failDelete(id) {
      await changeStatus(id, ['deleting'], 'delete_failed')
    },
    async finishDelete(id) {
      await runDurably(() =>
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
          await tx.deleteFrom('fault_units').where('unit_id', 'in', unitIds).execute()
        }),
      )
    },
    async takeDeletions() {
      const rows = await runDurably(() =>
        db
          .selectFrom('tasks')
          .select(['id', 'deleter'])
          .where(sql<boolean>`status = 'deleting'`)
          .orderBy('id')
          .execute(),
      )
      if (rows.length === 0) return []
      const gone = new Set(await holders.findAbandoned([...new Set(rows.flatMap(({ deleter }) => deleter ?? []))]))
      const own = await openProcessHolder()
      const taken: Task[] = []
      for (const { id, deleter } of rows) {
        if (deleter !== null && !gone.has(deleter)) continue
        // Only one of several processes finds the former deleter.
        const task = await runDurably(() =>
          db
            .updateTable('tasks')
            .set({ deleter: own })
            .where('id', '=', id)
            .where(sql<boolean>`status = 'deleting'`)
            .where('deleter', deleter === null ? 'is' : '=', deleter)
            .returningAll()
            .executeTakeFirst(),
        )
        if (task !== undefined) taken.push(fromTaskRow(task))
      }
      return taken
    },
  }
}
