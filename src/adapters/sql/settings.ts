import type { Kysely } from 'kysely'
import type { SettingStore } from '../../ports/settings.js'
import type { RunWork } from './database.js'
import type { Tables } from './tables.js'

export function createSettingStore(db: Kysely<Tables>, runDurably: RunWork): SettingStore {
  return {
    async keepSetting(name, value) {
      const insert = db.insertInto('settings').values({ name, value })
      const select = db.selectFrom('settings').select('value').where('name', '=', name)
      await runDurably(() => insert.onConflict((conflict) => conflict.column('name').doNothing()).execute())
      const row = await runDurably(() => select.executeTakeFirstOrThrow())
      return row.value
    },
    async findSetting(name) {
      const select = db.selectFrom('settings').select('value').where('name', '=', name)
      return (await runDurably(() => select.executeTakeFirst()))?.value
    },
  }
}
