import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '../../src/adapters/sql/sqlite/dialect.js'
import type { Connection } from '../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../src/adapters/sql/sqlite/open-store.js'
import type { Store } from '../../src/ports/store.js'
import { newAvatar } from '../helpers/tasks.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { type BenchRow, measureInterleaved, median } from './row.js'
import { drive, type LoadGenerator, type Running, start, startLoadGenerator } from './server/processes.js'

/** The task reader, bundled next to this bench. */
const reader = join(dirname(process.argv[1] ?? ''), 'server/task-reader.mjs')
const program = fileURLToPath(new URL('../../bin/svc.js', import.meta.url))
const connections = 32
const created = 4000
const few = 1000
const many = 1_000_000
const rounds = 7
const secondsPerRound = 1.5

/** The task store against SQLite alone; takes about two minutes, most of them to fill a database. */
export async function benchTasks(): Promise<BenchRow[]> {
  const { folder, close } = openTemporaryFolder()
  try {
    const small = await fill(join(folder, 'small.db'), few)
    const whole = join(folder, 'whole')
    mkdirSync(whole)
    await fill(join(whole, 'svc.db'), few)
    const acceptance = await benchCreate(folder)
    const large = await fill(join(folder, 'large.db'), many)
    return [...acceptance, ...(await benchRead(small, large, whole)), await benchClaim(small, large)]
  } finally {
    close()
  }
}

/** A database with finished tasks, and how the rows are inserted without a store. */
export async function fill(file: string, count: number): Promise<string> {
  await (await openSqliteStore(file)).close()
  const database = openSqlite(file)
  const insert = prepareInserts(database, 'success')
  for (let first = 0; first < count; first += 10_000) {
    database.transaction(() => {
      for (let index = first; index < Math.min(count, first + 10_000); index++) insert(toId(index))
    })()
  }
  database.pragma('wal_checkpoint(truncate)')
  database.close()
  return file
}

export const toId = (index: number) => `avatar_${String(index).padStart(26, '0')}`

type Insert = (id: string) => void

/** The rows of one task, statement by statement. */
function prepareInserts(database: Connection, status: 'pending' | 'success'): Insert {
  const task = database.prepare(
    `insert into tasks (id, kind, status, request_id, call_id, key_id, user_id, pet_id, missing, provider, model, parent_id,
      input, units, created_at, updated_at, finished_at) values (${Array(17).fill('?').join()})`,
  )
  const unit = database.prepare(
    'insert into units (id, task_id, name, provider, status, run_at, deadline_at, image_key) values (?,?,?,?,?,?,?,?)',
  )
  const usage = database.prepare(`insert into usage_entries values (${Array(10).fill('?').join()})`)
  return (id) => {
    const { kind, requestId, callId, keyId, owner, provider, model, units, input } = newAvatar({ id })
    const files = (name: string) => ({ files: { image: `ai-gateway/avatars/${id}/${name}.png` } })
    const views = units.map((name) => ({
      name,
      status,
      output: status === 'success' ? files(name) : null,
      failure: null,
    }))
    const now = Date.now()
    const [ids, texts] = [
      [requestId, callId, keyId, owner.userId, owner.petId],
      [JSON.stringify(input), JSON.stringify(views)],
    ]
    task.run(id, kind, status, ...ids, '[]', provider, model, null, ...texts, now, now, status === 'success' ? now : 0)
    for (const [place, name] of units.entries()) {
      const key = status === 'success' ? files(name).files.image : null
      unit.run(`${id}/00${place}`, id, name, provider, status, now, now + 60_000, key)
    }
    usage.run(requestId, keyId, 'pet-avatar', owner.userId, owner.petId, 0, now, '[]', model, callId)
  }
}

async function benchCreate(folder: string): Promise<BenchRow[]> {
  const stores: Store[] = []
  const open = async (name: string) => {
    const store = await openSqliteStore(join(folder, name))
    stores.push(store)
    return store
  }
  const store = await open('store.db')
  await open('raw.db')
  const raw = openSqlite(join(folder, 'raw.db'))
  // On disk when the transaction ends, as in the store.
  raw.pragma('synchronous = FULL')
  const insert = prepareInserts(raw, 'pending')
  const insertAlone = raw.transaction(insert)
  let next = 0
  const seconds = await measureInterleaved(
    {
      each: () => {
        for (let index = 0; index < created; index++) insertAlone.immediate(toId(next++))
      },
      // No service can do this: all tasks in one transaction.
      bulk: raw.transaction(() => {
        for (let index = 0; index < created; index++) insert(toId(next++))
      }),
      store: () => createConcurrently(store),
    },
    rounds,
  )
  raw.close()
  for (const open of stores) await open.close()
  for (const name of ['store.db', 'raw.db']) rmSync(join(folder, name))
  const toRow = (how: string, ratio: number): BenchRow => ({
    what: `create a task of 4 units, ${connections} at a time`,
    measured: `${ratio.toFixed(2)} of SQLite alone, ${how} (${Math.round(created / seconds.store)}/s)`,
    goal: '>= 0.5',
    met: ratio >= 0.5,
  })
  return [
    toRow('a commit each', seconds.each / seconds.store),
    toRow('one commit for all', seconds.bulk / seconds.store),
  ]
}

async function createConcurrently(store: Store): Promise<void> {
  let left = created
  const create = async () => {
    while (left-- > 0) await store.createTask(newAvatar(), 'pet-avatar')
  }
  await Promise.all(Array.from({ length: connections }, create))
}

async function benchRead(small: string, large: string, dataDir: string): Promise<BenchRow[]> {
  const headers = { authorization: `Bearer ${createCountedKey(dataDir)}` }
  const load = startLoadGenerator()
  const serve = (mode: string, file: string) => start(process.execPath, [reader, mode, file])
  const servers = {
    bare: { server: await serve('bare', small), tasks: few },
    bareLarge: { server: await serve('bare', large), tasks: many },
    store: { server: await serve('store', small), tasks: few },
    large: { server: await serve('store', large), tasks: many },
    route: {
      server: await start(process.execPath, [program, 'serve', '--port', '0', '--json', '--data-dir', dataDir]),
      tasks: few,
      path: '/v1/pet-avatar/tasks',
      headers,
    },
  }
  const names = Object.keys(servers) as (keyof typeof servers)[]
  const rates: Record<keyof typeof servers, number[]> = { bare: [], bareLarge: [], store: [], large: [], route: [] }
  const micros: typeof rates = { bare: [], bareLarge: [], store: [], large: [], route: [] }
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const name of names) {
        const { perSecond, cpuMicros } = await readTasks(load, servers[name])
        // The first round fills caches.
        if (round === 0) continue
        rates[name].push(perSecond)
        micros[name].push(cpuMicros)
      }
    }
  } finally {
    load.stop()
    await Promise.all(names.map((name) => servers[name].server.stop()))
  }
  const ratioOf = (one: number[], other: number[]) => median(one.map((rate, round) => rate / (other[round] ?? rate)))
  const [single, grown] = [ratioOf(rates.store, rates.bare), ratioOf(rates.large, rates.store)]
  const bareGrown = ratioOf(rates.bareLarge, rates.bare)
  const [whole, cpu] = [ratioOf(rates.route, rates.bare), ratioOf(micros.bare, micros.route)]
  const grownCpu = ratioOf(micros.store, micros.large)
  return [
    {
      what: `read a task over node:http, ${connections} connections`,
      measured: `${single.toFixed(2)} of one prepared select (${Math.round(median(rates.store))}/s)`,
      goal: '>= 0.7',
      met: single >= 0.7,
    },
    {
      what: 'GET /v1/pet-avatar/tasks/{id} through the whole server, with a key that is counted',
      measured: `${whole.toFixed(2)} of one prepared select (${Math.round(median(rates.route))}/s); by CPU time ${cpu.toFixed(2)} (${Math.round(median(micros.route))} us)`,
      goal: '>= 0.7',
      met: whole >= 0.7,
    },
    {
      what: `read a task with ${many.toLocaleString('en-US')} tasks`,
      measured: `${grown.toFixed(2)} of the rate with ${few.toLocaleString('en-US')}; by CPU time ${grownCpu.toFixed(2)} (${Math.round(median(micros.large))} us); one prepared select: ${bareGrown.toFixed(2)}`,
      goal: '>= 0.95',
      met: grown >= 0.95,
    },
  ]
}

/** A key with a limit that is counted and never reached. */
export function createCountedKey(dataDir: string): string {
  const args = ['key', 'create', '--name', 'bench', '--rate-limit', '1000000000', '--data-dir', dataDir, '--json']
  return JSON.parse(String(execFileSync(process.execPath, [program, ...args]))).key
}

interface ReadTarget {
  readonly server: Running
  readonly tasks: number
  /** Before the task's ID. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Reads 5000 tasks from all over the database, again and again. */
function readTasks(load: LoadGenerator, { server, tasks, path = '', headers = {} }: ReadTarget) {
  const paths = Array.from({ length: 5000 }, (_, index) => `${path}/${toId((index * 7919) % tasks)}`)
  return drive(load, server, { headers, paths, connections, seconds: secondsPerRound })
}

/** Claims and settles one unit after another, with few or many finished tasks in the database. */
async function benchClaim(small: string, large: string): Promise<BenchRow> {
  const count = 300
  const stores = { small: await openSqliteStore(small), large: await openSqliteStore(large) }
  const runUnits = async (store: Store) => {
    await Promise.all(Array.from({ length: count / 4 }, () => store.createTask(newAvatar(), 'pet-avatar')))
    for (let done = 0; done < count; done++) {
      const claim = { holderId: 'bench', limit: 1, leaseMs: 60_000, slots: { scripted: 4 } }
      const [unit] = await store.claimUnits(claim)
      const output = { files: { image: `${unit?.id}` } }
      await store.settleUnit(unit?.lease ?? '', { status: 'success', output, usage: null }, () => 'processing')
    }
  }
  const seconds = await measureInterleaved(
    { small: () => runUnits(stores.small), large: () => runUnits(stores.large) },
    rounds,
  )
  await Promise.all(Object.values(stores).map((store) => store.close()))
  const ratio = seconds.small / seconds.large
  return {
    what: `claim and settle units with ${many.toLocaleString('en-US')} finished tasks`,
    measured: `${ratio.toFixed(2)} of the rate with ${few.toLocaleString('en-US')} (${Math.round(count / seconds.large)}/s)`,
    goal: '>= 0.9',
    met: ratio >= 0.9,
  }
}
