// run: PostgreSQL, fleet
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPrometheus, type Prometheus } from '../../src/adapters/prometheus.js'
import type { Store } from '../../src/ports/store.js'
import { reportSkip } from '../helpers/skip.js'
import { storeSuite, type TestDatabase } from '../helpers/stores.js'
import { newAvatar } from '../helpers/tasks.js'

const findSlots = async () => ({ scripted: 8 })
const namesIn = (text: string) => [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name ?? '')

const measures = storeSuite('measures', { isPooled: true })
let database: TestDatabase
let store: Store
let prometheus: Prometheus
measures.before.each(async (given) => {
  database = given
  store = await given.open()
  prometheus = createPrometheus({ store, version: '1.2.3', findSlots })
})

measures('shows the queue, the slots and the breakers of each provider', async () => {
  await store.createTask(newAvatar(), 'pet-avatar')
  const { id: holderId } = await store.openHolder()
  await store.claimUnits({ holderId, limit: 1, leaseMs: 60_000, slots: { scripted: 8 } })
  await store.failBreaker('scripted', 'down', true)
  await store.failBreaker('gone', 'refused', true)
  const { text } = await prometheus.render()
  for (const line of [
    'svc_database_up 1',
    'svc_queue_units{provider="scripted"} 3',
    'svc_slots_in_use{provider="scripted"} 1',
    'svc_slots{provider="scripted"} 8',
    'svc_breaker_open{provider="scripted"} 1',
    'svc_breaker_open{provider="gone"} 1',
  ]) {
    assert.ok(text.includes(`\n${line}\n`), line)
  }
  assert.match(text, /\nsvc_queue_oldest_due_seconds\{provider="scripted"\} \d/)
  await store.closeBreakers(['scripted', 'gone'])
  const later = (await prometheus.render()).text
  assert.ok(later.includes('\nsvc_breaker_open{provider="scripted"} 0\n'))
  assert.not.match(later, /svc_breaker_open\{provider="gone"/)
})

measures('counts a long queue up to a limit, and the waiting units of every provider', async () => {
  for (const provider of ['b', 'a', 'c']) await store.createTask(newAvatar({ provider }), 'pet-avatar')
  await database.query(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10500)
    insert into units (id, task_id, name, provider, status, run_at, deadline_at)
    select 'u' || n, 't', 'lying', 'b', 'pending', 9000000000000, 9000000000000 from numbers`)
  const { text } = await prometheus.render()
  const counts = [...text.matchAll(/^svc_queue_units\{provider="(\w+)"\} (\d+)$/gm)].map(([, name, units]) => [
    name,
    units,
  ])
  assert.equal(counts.sort(), [
    ['a', '4'],
    ['b', '10000'],
    ['c', '4'],
    ['scripted', '0'],
  ])
})

measures('shows connections and the heartbeat of PostgreSQL', async () => {
  const { text } = await prometheus.render()
  const isPostgres = store.measurePool() !== undefined
  assert.is(/\nsvc_database_connections\{state="waiting"\} 0\n/.test(text), isPostgres)
  assert.is(/\nsvc_heartbeat_age_seconds \d/.test(text), isPostgres)
})

measures('shows the other measures while the database is away', async () => {
  prometheus.countCost('openai', false, 40_000)
  await store.close()
  const { text } = await prometheus.render()
  assert.match(text, /\nsvc_database_up 0\n/)
  assert.match(text, /\nsvc_cost_dollars_total\{provider="openai",certain="no"\} 0\.04\n/)
})

measures('has the names that the page for operators lists', async () => {
  prometheus.countCall('/health', 'GET', 200, 1)
  prometheus.countUnit('scripted', 'avatar', 'succeeded', 900)
  const { text } = await prometheus.render()
  const page = readFileSync(new URL('../../src/server/README.md', import.meta.url), 'utf8')
  const listed = new Set([...page.matchAll(/^\| `(svc_\w+)` /gm)].map(([, name]) => name ?? ''))
  if (store.measurePool() === undefined) listed.delete('svc_heartbeat_age_seconds')
  const shown = namesIn(text)
  assert.equal(shown.filter((name) => name.startsWith('svc_')).sort(), [...listed].sort())
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
    assert.ok(shown.includes(name), name)
  }
})
measures.run()

const format = suite('text of the measures')
format('passes promtool', async () => {
  if (spawnSync('promtool', ['--version']).error !== undefined) {
    return reportSkip('the text of the measures in promtool: Prometheus is not installed')
  }
  const all = createPrometheus({
    version: '1.2.3',
    findSlots,
    store: {
      measureQueue: async () => ({ queues: [], breakers: [{ provider: 'a"b\\c', isOpen: true }] }),
      measurePool: () => ({ open: 1, idle: 1, waiting: 0 }),
      findHeartbeatAgeMs: () => 5,
    },
  })
  all.countCall('/v1/pet-avatar/tasks/{task_id}', 'GET', 200, 1)
  all.countUnit('scripted', 'avatar', 'failed', 900)
  all.countCost('scripted', true, 1)
  const { text: input } = await all.render()
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
  assert.equal([status, stdout, stderr], [0, '', ''])
})
format.run()
