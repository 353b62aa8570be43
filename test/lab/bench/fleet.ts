import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'pg'
import { openPostgresStore } from '../../../src/adapters/sql/postgres/open-store.js'
import { taskColumns } from '../../../src/adapters/sql/task-row.js'
import type { Store } from '../../../src/ports/store.js'
import { createDatabase, findPostgres, query, serverVariable, startPostgres, types } from '../../helpers/postgres.js'
import { newAvatar } from '../../helpers/tasks.js'
import { makeUnits } from './fleet/member.js'
import { readPostgresMicros } from './fleet/postgres-cpu.js'
import { atLeast, atMost, type BenchRow, measureInterleaved, row, timeRatios } from './row.js'
import type { World } from './server/processes.js'

const member = join(dirname(process.argv[1] ?? ''), 'fleet/member.mjs')
const connections = 32
const created = 1600
const read = 8000
const rounds = 3
const ledgerRows = 3_400_000

/** The store on PostgreSQL against `pg` alone, and processes of a fleet; takes about four minutes. */
export async function benchFleet({ keep }: World): Promise<BenchRow[]> {
  const programs = findPostgres()
  if (programs === undefined) {
    return [toSkipped('fleet', 'the store on PostgreSQL', 'PostgreSQL is not installed')]
  }
  // On a disk, unlike the servers of tests.
  process.env[serverVariable] = await startPostgres(programs, tmpdir())
  const address = await createDatabase(programs)
  const store = await openPostgresStore(address)
  const raw = new Pool({ connectionString: address, max: 8, types })
  keep({ stop: () => store.close() })
  keep({ stop: () => raw.end() })
  return [
    ...(await benchCosts(address, store, raw)),
    ...(await benchGrowth(address)),
    await benchTakeover(address, store),
    await benchBudget(address, store),
  ]
}

const toSkipped = (id: string, what: string, why: string) => row(id, what, [], atMost(undefined, ''), `skipped: ${why}`)

/** Runs `act` for `count` items, a few at a time. */
async function concurrently(count: number, act: (place: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: connections }, loop))
}

interface Cost {
  /** CPU time per item in microseconds. */
  readonly process: number
  readonly postgres: number
}

async function measureCost(address: string, items: number, act: () => Promise<unknown>): Promise<Cost> {
  await act()
  const [own, server] = [process.cpuUsage(), readPostgresMicros(address)]
  for (let round = 0; round < rounds; round++) await act()
  const { user, system } = process.cpuUsage(own)
  return {
    process: (user + system) / rounds / items,
    postgres: (readPostgresMicros(address) - server) / rounds / items,
  }
}

async function benchCosts(address: string, store: Store, raw: Pool): Promise<BenchRow[]> {
  const create = () => concurrently(created, () => store.createTask(newAvatar(), 'pet-avatar'))
  const ids: string[] = []
  const keyed = () =>
    concurrently(created, async () => {
      const task = newAvatar()
      ids.push(task.id)
      const found = await store.beginIdempotent(task.id, 'f', new Date(store.now()), 180_000, 86_400_000)
      if (found.state !== 'begun') throw new Error(found.state)
      await store.createTask(task, 'pet-avatar', { reservation: found.reservation, body: { task_id: task.id } })
    })
  const get = () => concurrently(read, (place) => store.findTask(ids[place % ids.length] ?? ''))
  const selectText = `select ${taskColumns.join(', ')} from tasks where id = $1`
  const getRaw = () =>
    concurrently(read, (place) =>
      raw.query({ name: 'find', text: selectText, values: [ids[place % ids.length] ?? ''] }),
    )
  const createRaw = async () => {
    for (let first = 0; first < created; first += connections) await insertRaw(raw)
  }
  const costs = {
    create: await measureCost(address, created, create),
    raw: await measureCost(address, created, createRaw),
    keyed: await measureCost(address, created, keyed),
    get: await measureCost(address, read, get),
    getRaw: await measureCost(address, read, getRaw),
  }
  await emptyQueue(address)
  for (let count = 0; count < created; count += 100) {
    await Promise.all(Array.from({ length: 100 }, () => store.createTask(newAvatar(), 'pet-avatar')))
  }
  const holder = await store.openHolder()
  const unit = await measureCost(address, 400, async () => {
    for (let made = 0; made < 400; ) made += await makeUnits(store, holder.id, 4)
  })
  const creates = await measureInterleaved({ store: create, raw: createRaw }, rounds)
  const reads = await measureInterleaved({ store: get, raw: getRaw }, rounds)
  const toRow = (id: string, what: string, { postgres, process }: Cost, goal: number) => {
    const note = `${Math.round(process)} us of the process`
    return row(`fleet-${id}`, `${what}: CPU time of PostgreSQL`, [postgres], atMost(goal, 'us'), note)
  }
  const toRatio = (id: string, what: string, values: readonly number[], cpu: number, goal: number) =>
    row(`fleet-${id}`, `${what}: rate`, values, atLeast(goal), `by CPU time of both ${cpu.toFixed(2)}`)
  const sum = ({ process, postgres }: Cost) => process + postgres
  return [
    toRow('create', 'create a task of 4 units, 32 at a time', costs.create, 250),
    toRow('keyed', 'create a task with an Idempotency-Key', costs.keyed, 300),
    toRow('read', 'read a task', costs.get, 40),
    toRow('unit', 'claim a unit, save its memo, settle it', unit, 1500),
    toRatio(
      'create-raw',
      'create, of batches of 32 in pg alone',
      timeRatios(creates.raw, creates.store),
      sum(costs.raw) / sum(costs.create),
      0.65,
    ),
    toRatio(
      'read-raw',
      'read a task, of a named select in pg alone',
      timeRatios(reads.raw, reads.store),
      sum(costs.getRaw) / sum(costs.get),
      0.75,
    ),
  ]
}

/** Inserts the rows of 32 tasks as one would without a store: a transaction of three named statements. */
async function insertRaw(raw: Pool): Promise<void> {
  const tasks = Array.from({ length: connections }, () => newAvatar())
  const taskRows = tasks.map((task) => [
    ...[task.id, task.kind, 'pending', task.requestId, task.callId, task.keyId, task.owner.userId, task.owner.petId],
    ...['[]', task.provider, task.model, null, JSON.stringify(task.input)],
    JSON.stringify(task.units.map((name) => ({ name, status: 'pending', output: null, failure: null }))),
    ...[Date.now(), Date.now(), 0],
  ])
  const unitRows = tasks.flatMap(({ id, units, provider }) =>
    units.map((name, place) => [`${id}/${place}`, id, name, provider, 'pending', Date.now(), Date.now() + 60_000]),
  )
  const usageRows = tasks.map(({ requestId, callId, keyId, owner, model }) => [
    ...[requestId, callId, keyId, 'pet-avatar', owner.userId, owner.petId, 0, Date.now(), '[]', model],
  ])
  const client = await raw.connect()
  try {
    await client.query('begin')
    await client.query({ name: 'tasks', ...toInsert('tasks', rawTaskColumns, taskRows) })
    await client.query({ name: 'units', ...toInsert('units', rawUnitColumns, unitRows) })
    await client.query({ name: 'usage', ...toInsert('usage_entries', rawUsageColumns, usageRows) })
    await client.query('commit')
  } finally {
    client.release()
  }
}

const rawTaskColumns = `id, kind, status, request_id, call_id, key_id, user_id, pet_id, missing, provider, model, parent_id,
  input, units, created_at, updated_at, finished_at`
const rawUnitColumns = 'id, task_id, name, provider, status, run_at, deadline_at'
const rawUsageColumns = 'request_id, call_id, key_id, endpoint, user_id, pet_id, missing_id, created_at, missing, model'

function toInsert(table: string, columns: string, rows: readonly (readonly unknown[])[]) {
  let count = 0
  const places = rows.map((row) => `(${row.map(() => `$${++count}`).join()})`)
  return { text: `insert into ${table} (${columns}) values ${places.join()}`, values: rows.flat() }
}

const cgroups = '/sys/fs/cgroup/cpu'
const coresPerMember = 0.15
const memberSeconds = 6

/** Limits a process to a part of a core. Returns false without the rights or the controllers for it. */
function limit(pid: number): boolean {
  const folder = `${cgroups}/svc-bench-${pid}`
  try {
    mkdirSync(folder)
    writeFileSync(`${folder}/cpu.cfs_period_us`, '20000')
    writeFileSync(`${folder}/cpu.cfs_quota_us`, String(20_000 * coresPerMember))
    // Other work of the machine must not starve it.
    writeFileSync(`${folder}/cpu.shares`, '20000')
    writeFileSync(`${folder}/cgroup.procs`, String(pid))
    return true
  } catch {
    return false
  }
}

async function startMember(address: string, work: string) {
  const child = spawn(process.execPath, [member, address, work, String(memberSeconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return { child, lines }
}

/** Returns the items per second of some processes, and the mean number of sessions that waited for a lock. */
async function runFleet(address: string, work: string, size: number) {
  const members = await Promise.all(Array.from({ length: size }, () => startMember(address, work)))
  const limited = members.map(({ child }) => limit(child.pid ?? 0)).every(Boolean)
  const samples: number[] = []
  let isOver = false
  const sampling = (async () => {
    while (!isOver) {
      const [found] = await query(address, waitingText)
      samples.push(Number(found?.count))
      await delay(100)
    }
  })()
  const counts = await Promise.all(members.map(async ({ lines }) => JSON.parse((await lines.next()).value).count))
  isOver = true
  await sampling
  await Promise.all(members.map(({ child }) => end(child)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  return { rate: total / memberSeconds, limited, waiting: samples.reduce((sum, one) => sum + one, 0) / samples.length }
}

const waitingText = `select count(*) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  const folder = `${cgroups}/svc-bench-${child.pid}`
  if (existsSync(folder)) rmdirSync(folder)
}

async function benchGrowth(address: string): Promise<BenchRow[]> {
  if (!existsSync(`${cgroups}/cpu.cfs_quota_us`) && !existsSync(`${cgroups}/cpu.shares`)) {
    return [toSkipped('fleet-growth', '4 processes of a part of a core', 'no cgroups here')]
  }
  const rows: BenchRow[] = []
  for (const [work, what] of [
    ['create', 'creates'],
    ['units', 'units'],
  ] as const) {
    if (work === 'units') await fillQueue(address, 6000)
    const one = await runFleet(address, work, 1)
    const four = await runFleet(address, work, 4)
    const note = one.limited && four.limited ? '' : '; the processes were not limited'
    rows.push(
      row(
        `fleet-growth-${work}`,
        `${what} of 4 processes of ${coresPerMember} core, of one`,
        [four.rate / one.rate],
        atLeast(3.5),
        `${Math.round(one.rate)}/s and ${Math.round(four.rate)}/s${note}`,
      ),
      row(`fleet-locks-${work}`, `sessions waiting for a lock, 4 processes, ${what}`, [four.waiting], atMost(0.2, '')),
    )
  }
  return rows
}

/** Only units that are due count, of tasks that have them. */
async function fillQueue(address: string, tasks: number): Promise<void> {
  const store = await openPostgresStore(address)
  await emptyQueue(address)
  await concurrently(tasks, () => store.createTask(newAvatar(), null))
  await store.close()
}

/** A service never deletes a queue at once; autovacuum would take a minute to notice. */
async function emptyQueue(address: string): Promise<void> {
  await query(address, 'delete from units')
  await query(address, 'vacuum (analyze) units')
}

async function benchTakeover(address: string, store: Store): Promise<BenchRow> {
  await emptyQueue(address)
  await store.createTask(newAvatar(), null)
  const { child, lines } = await startMember(address, 'hold')
  await lines.next()
  // As in a fleet that runs: who has just started may not judge yet.
  await delay(6000)
  child.kill('SIGKILL')
  const killedAt = performance.now()
  const holder = await store.openHolder()
  for (;;) {
    const units = await store.claimUnits({ holderId: holder.id, limit: 9, leaseMs: 30_000, slots: { scripted: 9 } })
    if (units.length > 0) break
    // The interval at which a worker polls.
    await delay(1000)
  }
  return row(
    'fleet-takeover',
    'takeover of units after kill -9',
    [(performance.now() - killedAt) / 1000],
    atMost(6, 's'),
  )
}

async function benchBudget(address: string, store: Store): Promise<BenchRow> {
  const month = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth())
  await query(address, 'alter table usage_ledger disable trigger all')
  await query(
    address,
    `insert into usage_ledger (unit_id, attempt, task_id, key_id, user_id, pet_id, missing, model, unit, quantity, delivered,
      cost_micros, certain, maybe_duplicate, created_at)
      select 'avatar_' || n || '/000', 1, 'avatar_' || n, 'key_1', 'user', 'pet-' || n % 100000, '[]', 'm', 'image', 1, 1,
        40000, 1, 0, ${month} + n % 1000 from generate_series(1, ${ledgerRows}) as n`,
  )
  await query(address, 'alter table usage_ledger enable trigger all')
  // The work of PostgreSQL after a bulk load is not part of a create.
  await query(address, 'vacuum (analyze) usage_ledger')
  await query(address, 'checkpoint')
  await query(
    address,
    `insert into spending select 'key month', 'key_1', ${month}, sum(cost_micros) from usage_ledger
      on conflict (owner_kind, owner_id, starts_at) do update set micros = excluded.micros`,
  )
  const spending = { unitMicros: 40_000, limits: [{ of: 'key', micros: 1e15, per: 'month' }] } as const
  const times: number[] = []
  for (let count = 0; count < 600; count++) {
    const start = performance.now()
    await store.createTask(newAvatar({ spending }), 'pet-avatar')
    if (count >= 100) times.push(performance.now() - start)
  }
  times.sort((one, other) => one - other)
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN
  return row(
    'fleet-budget',
    `create with a budget at ${ledgerRows.toLocaleString('en-US')} rows of the ledger, p99`,
    [p99],
    atMost(10, 'ms'),
    `median ${(times[times.length >> 1] ?? 0).toFixed(1)} ms`,
  )
}
