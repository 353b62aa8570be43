import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DiaryStore } from '../../ports/diary.js'
import { createCalledWriter } from './called-writes.js'
import type { StoreParts } from './database.js'
import { offsetOf } from './pages.js'
import type { Tables } from './tables.js'
import { fromTaskRow, type TaskRow } from './task-row.js'

// A literal, not a parameter: the engine must see that the condition matches a partial index.
const isDiary = sql<boolean>`kind = 'diary'`

export function createDiaryStore(parts: StoreParts): DiaryStore {
  const { db, runDurably } = parts
  const save = createCalledWriter(parts)
  /** Finds the newest task of each condition, with one index lookup each. */
  async function findNewest(conditions: readonly RawBuilder<unknown>[]): Promise<TaskRow[]> {
    if (conditions.length === 0) return []
    const ids = conditions.map(
      (condition) =>
        sql`select (select id from tasks where ${isDiary} and status = 'success' and ${condition} order by created_at desc, id desc limit 1) as id`,
    )
    return runDurably(() =>
      db
        .selectFrom('tasks')
        .selectAll()
        .where('id', 'in', sql<string>`(${sql.join(ids, sql` union all `)})`)
        .orderBy('id')
        .execute(),
    )
  }

  return {
    async listDiaryTasks(userId, page, pageSize) {
      const all = db.selectFrom('tasks').where(isDiary)
      const tasks = userId === undefined ? all : all.where('user_id', '=', userId)
      const count = await runDurably(() =>
        db
          .selectFrom('diary_counts')
          .select('total')
          .where('user_id', '=', userId ?? '')
          .executeTakeFirst(),
      )
      // The page is found in an index alone: rows before a deep page are not read.
      const ids = tasks
        .select('id')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset(offsetOf(page, pageSize))
      const found = db.selectFrom('tasks').selectAll().where('id', 'in', ids)
      const rows = await runDurably(() => found.orderBy('created_at', 'desc').orderBy('id', 'desc').execute())
      return { total: Number(count?.total ?? 0), items: rows.map(fromTaskRow) }
    },
    async listChildren(libraryTaskId) {
      const rows = await runDurably(() =>
        db
          .selectFrom('tasks')
          .selectAll()
          .where('parent_id', '=', libraryTaskId)
          .where(isDiary)
          .orderBy('id')
          .execute(),
      )
      return rows.map(fromTaskRow)
    },
    async findPictures({ userId, petId }, recipes) {
      const found = await findNewest(
        recipes.map((recipe) => sql`recipe = ${recipe} and pet_id = ${petId} and user_id = ${userId}`),
      )
      return new Map(found.map((row) => [row.recipe ?? '', fromTaskRow(row)]))
    },
    async findLibraryPictures({ userId, petId }, species, sceneIds) {
      const found = await findNewest(
        sceneIds.map(
          (sceneId) =>
            sql`parent_id is not null and pet_id = ${petId} and user_id = ${userId} and species = ${species} and scene_id = ${sceneId}`,
        ),
      )
      return found.map(fromTaskRow)
    },
    async saveSelection({ id, owner, diaryId, date, imageId, sceneId, score, matched }, usage) {
      await save({
        usage,
        async insert(tx) {
          await tx
            .insertInto('selections')
            .values({
              id,
              user_id: owner.userId,
              pet_id: owner.petId,
              diary_id: diaryId,
              day: date,
              image_id: imageId,
              scene_id: sceneId,
              score,
              matched: JSON.stringify(matched),
              created_at: usage.createdAt.getTime(),
            })
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute()
        },
        async read() {},
      })
    },
  }
}

/** Counts the diary tasks of these users, one each, up or down in the transaction that inserts or deletes them. */
export async function countDiaryTasks(tx: Transaction<Tables>, userIds: readonly string[], by: 1 | -1): Promise<void> {
  const totals = new Map<string, number>()
  for (const id of userIds.flatMap((userId) => ['', userId])) totals.set(id, (totals.get(id) ?? 0) + by)
  if (totals.size === 0) return
  // In one order, so that no two transactions wait for each other.
  const rows = [...totals]
    .map(([user_id, total]) => ({ user_id, total }))
    .sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
  await tx
    .insertInto('diary_counts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ total: sql<number>`diary_counts.total + excluded.total` }),
    )
    .execute()
}
