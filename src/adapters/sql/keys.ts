import type { Selectable } from 'kysely'
import type { ApiKey, KeyStore } from '../../ports/keys.js'
import type { StoreParts } from './database.js'
import type { Tables } from './tables.js'

export function createKeyStore({ db, engine, runDurably, commit }: StoreParts): KeyStore {
  return {
    async findKey(id) {
      // The results of calls with the key wait for the disk.
      const row = await commit(() => db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst())
      return row && fromRow(row)
    },
    async listKeys() {
      const rows = await runDurably(() =>
        db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id').execute(),
      )
      return rows.map(fromRow)
    },
    async insertKey(key) {
      await runDurably(() => db.insertInto('api_keys').values(toRow(key)).execute())
    },
    insertFirstKey(key) {
      return runDurably(() =>
        db.transaction().execute(async (tx) => {
          await engine.takeTurn(tx, 'first key')
          const other = await tx.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()
          if (other === undefined) await tx.insertInto('api_keys').values(toRow(key)).execute()
          return other === undefined
        }),
      )
    },
    async revokeKey(id, now) {
      await runDurably(() =>
        db
          .updateTable('api_keys')
          .set({ revoked_at: now.getTime() })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .execute(),
      )
    },
    replaceKey(id, endsAt, next) {
      return runDurably(() =>
        db.transaction().execute(async (tx) => {
          await tx.insertInto('api_keys').values(toRow(next)).execute()
          await tx
            .updateTable('api_keys')
            .set({ expires_at: endsAt.getTime() })
            .where('id', '=', id)
            .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', endsAt.getTime())]))
            .execute()
        }),
      )
    },
  }
}

function toRow(key: ApiKey): Tables['api_keys'] {
  return {
    id: key.id,
    name: key.name,
    secret_hash: key.secretHash,
    endpoints: key.endpoints && JSON.stringify(key.endpoints),
    models: key.models && JSON.stringify(key.models),
    capabilities: JSON.stringify(key.capabilities),
    pets: key.pets && JSON.stringify(key.pets),
    rate_limit: key.rateLimit,
    budget_micros: key.budget?.micros ?? null,
    budget_per: key.budget?.per ?? null,
    is_admin: key.admin ? 1 : 0,
    created_at: key.createdAt.getTime(),
    expires_at: key.expiresAt?.getTime() ?? null,
    revoked_at: key.revokedAt?.getTime() ?? null,
    replaces: key.replaces,
  }
}

function fromRow(row: Selectable<Tables['api_keys']>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    secretHash: row.secret_hash,
    endpoints: row.endpoints === null ? null : JSON.parse(row.endpoints),
    models: row.models === null ? null : JSON.parse(row.models),
    capabilities: JSON.parse(row.capabilities),
    pets: row.pets === null ? null : JSON.parse(row.pets),
    rateLimit: row.rate_limit,
    budget: row.budget_micros === null ? null : { micros: row.budget_micros, per: row.budget_per ?? 'day' },
    admin: row.is_admin === 1,
    createdAt: new Date(row.created_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
    replaces: row.replaces,
  }
}
