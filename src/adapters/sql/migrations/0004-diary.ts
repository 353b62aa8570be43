import { type Kysely, sql } from 'kysely'

/** Diary pictures: the columns and indexes of their lists and lookups, and the pictures chosen for a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['species', 'scene_id', 'recipe']) {
    await db.schema.alterTable('tasks').addColumn(column, 'text').execute()
  }
  const isDiary = sql<boolean>`kind = 'diary'`
  const lists = { diary: ['created_at', 'id'], diary_by_user: ['user_id', 'created_at', 'id'] }
  for (const [name, columns] of Object.entries(lists)) {
    await db.schema.createIndex(`tasks_${name}`).on('tasks').columns(columns).where(isDiary).execute()
  }
  await db.schema
    .createIndex('tasks_by_recipe')
    .on('tasks')
    .columns(['recipe', 'pet_id', 'user_id', 'created_at', 'id'])
    .where(sql<boolean>`kind = 'diary' and status = 'success'`)
    .execute()
  await db.schema
    .createIndex('tasks_by_scene')
    .on('tasks')
    .columns(['pet_id', 'user_id', 'species', 'scene_id', 'created_at', 'id'])
    .where(sql<boolean>`kind = 'diary' and status = 'success' and parent_id is not null`)
    .execute()
  await db.schema
    .createTable('diary_counts')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('total', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('selections')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('pet_id', 'text', (column) => column.notNull())
    .addColumn('diary_id', 'text')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('image_id', 'text', (column) => column.notNull())
    .addColumn('scene_id', 'text', (column) => column.notNull())
    .addColumn('score', 'real', (column) => column.notNull())
    .addColumn('matched', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
}
