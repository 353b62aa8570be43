// run: PostgreSQL
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { connect } from '../../../src/adapters/sql/postgres/connection.js'
import { connectQuery, findPgbouncer, poolAddress, startPgbouncer, throughPooler } from '../../helpers/pgbouncer.js'
import { query } from '../../helpers/postgres.js'
import { postgresSuite } from '../../helpers/stores.js'
import { newAvatar } from '../../helpers/tasks.js'

const program = findPgbouncer() ?? ''
const add = postgresSuite('PostgreSQL with PgBouncer', program === '')

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

add('limits each session by the setting of the page', async ({ address, open }) => {
  const page = readFileSync('src/server/fleet.md', 'utf8')
  assert.ok(page.includes(`connect_query='${connectQuery}'`))
  const pooled = await poolAddress(program, address)
  const reports: string[] = []
  await open({ directUrl: address, report: (message) => reports.push(message) }, pooled)
  assert.equal(await readLimits(pooled), ['30s'])
  assert.equal(reports, [])
})

add('tells of a pooler without limits, and limits no other clients', async ({ address, open }) => {
  const folder = await startPgbouncer(program, address, 'select 1')
  const pooled = throughPooler(address, folder)
  const reports: string[] = []
  await open({ directUrl: address, report: (message) => reports.push(message) }, pooled)
  const [report = ''] = reports
  assert.match(report, /^The sessions of the pooler lack enable_seqscan, .*, statement_timeout: /)
  assert.ok(report.endsWith(`connect_query='${connectQuery}'`))
  assert.equal(await readLimits(pooled), ['0'])
})

add('is migrated past the pooler', async ({ address, open, openProxy }) => {
  const statements: string[] = []
  const direct = await openProxy(({ text }) => {
    statements.push(text)
    return false
  })
  const store = await open({ directUrl: direct.address }, await poolAddress(program, address))
  assert.ok(statements.some((text) => text.startsWith('create table "tasks"')))
  const before = statements.length
  const task = newAvatar()
  await store.createTask(task, 'pet-avatar')
  assert.is((await store.findTask(task.id))?.id, task.id)
  assert.is(statements.length, before)
  assert.equal(await query(address, 'select id from tasks'), [{ id: task.id }])
})

add.run()
