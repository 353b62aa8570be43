// run: PostgreSQL
import { join } from 'node:path'
import { Kysely, Migrator, sql } from 'kysely'
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
import { refusalOf } from '../../helpers/refusal.js'
import { reportSkip } from '../../helpers/skip.js'
import { newAvatar } from '../../helpers/tasks.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

interface Database {
  /** For `openStore`. */
  readonly address: string
  readonly db: Kysely<Tables>
  migrate(known: SchemaSteps): Promise<unknown>
  query(text: string): Promise<unknown[]>
}

const programs = findPostgres()

const engines: Readonly<Record<string, (check: (database: Database) => Promise<void>) => Promise<void>>> = {
  async SQLite(check) {
    const place = openTemporaryFolder()
    const address = join(place.folder, 'svc.db')
    const db = new Kysely<Tables>({ dialect: createSqliteDialect(openSqlite(address)) })
    const query = async (text: string) => (await sql.raw(text).execute(db)).rows
    await check({ address, db, query, migrate: (known) => migrate(db, known) })
    await db.destroy()
    place.close()
  },
  async PostgreSQL(check) {
    if (programs === undefined) return reportSkip('migrations: PostgreSQL is not installed')
    const address = await createDatabase(programs)
    const { db, close } = connect(address, 2)
    const ask = (text: string) => query(address, text)
    await check({ address, db, query: ask, migrate: (known) => migratePostgres(db, address, known) })
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

/** Makes the tables of an old version, as it did. */
async function makeTables(db: Kysely<Tables>, version: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(version)
  assert.is(error, undefined)
}

/** Books two payments of one month, on two days, in a database whose budgets have no sums per month yet. */
const bookOldPayments = `insert into usage_ledger (unit_id, attempt, task_id, key_id, user_id, pet_id, missing, model, unit,
    quantity, delivered, cost_micros, certain, maybe_duplicate, created_at)
  values ('a', 1, 't', 'k', 'u', 'p', '[]', 'm', 'image', 1, 1, 700, 1, 0, ${Date.UTC(2026, 1, 1)}),
    ('b', 1, 't', 'k', 'u', 'p', '[]', 'm', 'image', 1, 1, 50, 1, 0, ${Date.UTC(2026, 1, 28, 23)})`

const migrating = suite('migrations')

for (const [engine, withDatabase] of Object.entries(engines)) {
  migrating(`change no database of another program, on ${engine}`, () =>
    withDatabase(async ({ query, migrate }) => {
      await query('create table tasks (a text)')
      const refusal = await refusalOf(() => migrate(migrations))
      assert.match(
        refusal,
        /^The database is of another program: (table|relation) "tasks" already exists\. Name an empty one\.$/,
      )
      assert.equal(await query('select * from tasks'), [])
    }),
  )

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

  for (const version of ['0001-initial', '0010-shared-pictures']) {
    migrating(`keep the rows of a database of version ${version}, on ${engine}`, () =>
      withDatabase(async ({ address, db, query }) => {
        await makeTables(db, version)
        await query(`insert into usage_entries (request_id, key_id, endpoint, user_id, pet_id, missing_id, created_at)
          values ('r', 'k', 'e', 'u', 'p', 0, 86400000)`)
        const store = await openStore(address)
        const [row] = (await store.sumUsage('day', {}, 1, 1)).items
        assert.equal([row?.petId, row?.day, row?.missing, row?.model], ['p', '1970-01-02', [], ''])
        const task = newAvatar()
        await store.createTask(task, 'pet-avatar')
        assert.is((await store.findSubjects([task.callId])).get(task.callId)?.taskId, task.id)
        await store.close()
      }),
    )
  }

  migrating(`sum the payments of a month, on ${engine}`, () =>
    withDatabase(async ({ db, migrate, query }) => {
      await makeTables(db, '0024-growth')
      await query(bookOldPayments)
      await migrate(migrations)
      const month = { starts_at: Date.UTC(2026, 1, 1), micros: 750 }
      const text = "select * from spending where owner_kind like '% month' order by owner_kind"
      assert.equal(await query(text), [
        { owner_kind: 'key month', owner_id: 'k', ...month },
        { owner_kind: 'pet month', owner_id: 'p', ...month },
      ])
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
