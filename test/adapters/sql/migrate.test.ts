// run: PostgreSQL
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findPending, migrate } from '../../../src/adapters/sql/migrate.js'
import { migrations, type SchemaStep, type SchemaSteps } from '../../../src/adapters/sql/migrations.js'
import { connect } from '../../../src/adapters/sql/postgres/connection.js'
import { migratePostgres } from '../../../src/adapters/sql/postgres/migrate.js'
import { createSqliteDialect, openSqlite } from '../../../src/adapters/sql/sqlite/dialect.js'
import type { Tables } from '../../../src/adapters/sql/tables.js'
import { isSvcError } from '../../../src/errors.js'
import { openStore } from '../../helpers/open-store.js'
import { createDatabase, dropDatabase, findPostgres, query } from '../../helpers/postgres.js'
import { reportSkip } from '../../helpers/skip.js'
import { newAvatar } from '../../helpers/tasks.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

interface Database {
  /** For `openStore`. */
  readonly address: string
  readonly db: Kysely<Tables>
  migrate(known: SchemaSteps): Promise<unknown>
}

const programs = findPostgres()

const engines: Readonly<Record<string, (check: (database: Database) => Promise<void>) => Promise<void>>> = {
  async SQLite(check) {
    const place = openTemporaryFolder()
    const address = join(place.folder, 'svc.db')
    const db = new Kysely<Tables>({ dialect: createSqliteDialect(openSqlite(address)) })
    await check({ address, db, migrate: (known) => migrate(db, known) })
    await db.destroy()
    place.close()
  },
  async PostgreSQL(check) {
    if (programs === undefined) return reportSkip('migrations: PostgreSQL is not installed')
    const address = await createDatabase(programs)
    const { db, close } = connect(address, 2)
    await check({ address, db, migrate: (known) => migratePostgres(db, address, known) })
    await close()
    await dropDatabase(address)
  },
}

const expand: SchemaStep = {
  async up(db) {
    await sql`alter table tasks add column color text`.execute(db)
  },
}
const contract: SchemaStep = { up: async () => {}, isContract: true }
/** The steps of the next version and of the one after it. */
const next = { ...migrations, '8000-expand': expand }
const afterNext = { ...next, '9000-contract': contract }

const migrating = suite('migrations')

for (const [engine, withDatabase] of Object.entries(engines)) {
  migrating(`keep the version before working until a contract step, on ${engine}`, () =>
    withDatabase(async ({ address, db, migrate }) => {
      await migrate(migrations)
      const old = await openStore(address)
      await migrate(next)
      assert.equal(await findPending(db, next), [])
      // A process of this version goes on, and another one starts.
      await old.createTask(newAvatar(), 'pet-avatar')
      await old.close()
      const restarted = await openStore(address)
      await restarted.createTask(newAvatar(), 'pet-avatar')
      await restarted.close()
      await migrate(afterNext)
      assert.equal(await findPending(db, afterNext), [])
      const refusal = await openStore(address).catch((error: unknown) => error)
      assert.ok(isSvcError(refusal) && refusal.code === 'unavailable')
      assert.match(refusal.message, /A newer version of svc has changed the database/)
      // The version between has the expand step, but not the contract step.
      assert.ok(isSvcError(await migrate(next).catch((error: unknown) => error)))
    }),
  )

  migrating(`run once and completely, on ${engine}`, () =>
    withDatabase(async ({ db, migrate }) => {
      const failing = { ...migrations, '8000-fails': { up: () => Promise.reject(new Error('a fault')) } }
      assert.match(String(await migrate(failing).catch((error: unknown) => error)), 'a fault')
      assert.equal(await findPending(db), Object.keys(migrations))
      await migrate(migrations)
      await migrate(migrations)
      assert.equal(await findPending(db), [])
    }),
  )
}

migrating('wait for the process that runs them, on PostgreSQL', () =>
  engines.PostgreSQL?.(async ({ address, db }) => {
    let isOver = false
    const slow: SchemaStep = {
      async up(tx) {
        await sql`select pg_sleep(0.3)`.execute(tx)
        isOver = true
      },
    }
    const steps = { ...migrations, '8000-slow': slow }
    const other = connect(address, 2)
    const ran = await Promise.all([migratePostgres(db, address, steps), migratePostgres(other.db, address, steps)])
    assert.ok(isOver)
    assert.equal(ran.map(({ length }) => length).sort(), [0, Object.keys(steps).length])
    // No lock is left.
    const locks = `select * from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`
    assert.equal(await query(address, locks), [])
    await other.close()
  }),
)

migrating('need no right to change tables when there is nothing to do, on PostgreSQL', () =>
  engines.PostgreSQL?.(async ({ address, db }) => {
    const role = `reader_${Math.random().toString(36).slice(2)}`
    await query(address, `create role ${role} login`)
    const other = new URL(address)
    other.searchParams.set('user', role)
    const limited = connect(other.href, 1)
    const refusal = await migratePostgres(limited.db, other.href).catch((error: unknown) => error)
    assert.match(String(refusal), /may not change its tables/)
    await migratePostgres(db, address)
    await query(address, `grant select on all tables in schema public to ${role}`)
    assert.equal(await migratePostgres(limited.db, other.href), [])
    await limited.close()
    await query(address, `drop owned by ${role}; drop role ${role}`)
  }),
)

migrating.run()
