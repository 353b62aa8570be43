import type { Kysely } from 'kysely'
import type { Tables } from './tables.js'

/** Returns a setting of a database; undefined if it has none of that name. */
export async function findSetting(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Stores a setting in place of its former value. */
export async function saveSetting(db: Kysely<Tables>, name: string, value: string): Promise<void> {
  const insert = db.insertInto('settings').values({ name, value })
  await insert.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })).execute()
}
