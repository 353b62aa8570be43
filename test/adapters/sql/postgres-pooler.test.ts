// run: PostgreSQL
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../../src/adapters/sql/postgres/connection.js'
import { openPostgresStore } from '../../../src/adapters/sql/postgres/open-store.js'
import { connectQuery, findPgbouncer, poolAddress, startPgbouncer, throughPooler } from '../../helpers/pgbouncer.js'
import { createDatabase, dropDatabase, findPostgres, query } from '../../helpers/postgres.js'
import { openPostgresProxy } from '../../helpers/postgres-proxy.js'
import { reportSkip } from '../../helpers/skip.js'
import { newAvatar } from '../../helpers/tasks.js'

const pooler = suite('PostgreSQL with a pooler')
const programs = findPostgres()
const program = findPgbouncer()

/** Adds a test with a database that has no tables. */
function add(title: string, check: (address: string, program: string) => Promise<void>): void {
  pooler(title, async () => {
    if (programs === undefined || program === undefined)
      return reportSkip(`${title}: PostgreSQL or PgBouncer is not installed`)
    const address = await createDatabase(programs)
    try {
      await check(address, program)
    } finally {
      await dropDatabase(address)
    }
  })
}

/** Reads a limit in as many sessions as there are transactions at a time. */
async function readLimits(address: string): Promise<string[]> {
  const { db, close } = connect(address, 8)
  const read = () =>
    db.transaction().execute(async (tx) => {
      const select = sql<{ limit: string }>`select pg_sleep(0.2), current_setting('statement_timeout') as limit`
      return (await select.execute(tx)).rows[0]?.limit ?? ''
    })
  const limits = await Promise.all(Array.from({ length: 8 }, read))
  await close()
  return [...new Set(limits)]
}

add('limits each session by the setting of the page', async (address, program) => {
  const page = readFileSync('src/server/fleet.md', 'utf8')
  assert.ok(page.includes(`connect_query='${connectQuery}'`))
  const pooled = await poolAddress(program, address)
  const reports: string[] = []
  const store = await openPostgresStore(pooled, { directUrl: address, report: (message) => reports.push(message) })
  assert.equal(await readLimits(pooled), ['30s'])
  assert.equal(reports, [])
  await store.close()
})

add('tells of a pooler without limits, and sets no limit for its other clients', async (address, program) => {
  const folder = await startPgbouncer(program, address, 'select 1')
  const pooled = throughPooler(address, folder)
  const reports: string[] = []
  const store = await openPostgresStore(pooled, { directUrl: address, report: (message) => reports.push(message) })
  const [report = ''] = reports
  assert.match(report, /^The sessions of the pooler lack enable_seqscan, .*, statement_timeout: /)
  assert.ok(report.endsWith(`connect_query='${connectQuery}'`))
  assert.equal(await readLimits(pooled), ['0'])
  await store.close()
})

add('is migrated past the pooler', async (address, program) => {
  const statements: string[] = []
  const direct = await openPostgresProxy(address, ({ text }) => {
    statements.push(text)
    return false
  })
  const store = await openPostgresStore(await poolAddress(program, address), { directUrl: direct.address })
  assert.ok(statements.some((text) => text.startsWith('create table "tasks"')))
  const before = statements.length
  const task = newAvatar()
  await store.createTask(task, 'pet-avatar')
  assert.is((await store.findTask(task.id))?.id, task.id)
  assert.is(statements.length, before)
  assert.equal(await query(address, 'select id from tasks'), [{ id: task.id }])
  await store.close()
  await direct.close()
})

pooler.run()
