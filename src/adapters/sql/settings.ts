import type { Kysely } from 'kysely'
import type { SettingStore } from '../../ports/settings.js'
import type { RetryWhileBusy } from './database.js'
import type { Tables } from './tables.js'

export function createSettingStore(db: Kysely<Tables>, retryWhileBusy: RetryWhileBusy): SettingStore {
  return {
    async keepSetting(name, value) {
      const insert = db.insertInto('settings').values({ name, value })
      const select = db.selectFrom('settings').select('value').where('name', '=', name)
      await retryWhileBusy(() => insert.onConflict((conflict) => conflict.column('name').doNothing()).execute())
      const row = await retryWhileBusy(() => select.executeTakeFirstOrThrow())
      return row.value
    },
    async findSetting(name) {
      const select = db.selectFrom('settings').select('value').where('name', '=', name)
      return (await retryWhileBusy(() => select.executeTakeFirst()))?.value
    },
  }
}
