// run: takes 13 s, PostgreSQL
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { TaskEntry } from '../../src/log/request-log.js'
import { isFinalStatus } from '../../src/media/status.js'
import type { Store } from '../../src/ports/store.js'
import type { NewTask, Task } from '../../src/ports/tasks.js'
import { bundleProgram, type Child } from '../helpers/child.js'
import { storeSuite, type TestDatabase } from '../helpers/stores.js'
import { newAnimation, newAvatar, openFolderObjects } from '../helpers/tasks.js'

const crash = storeSuite('worker that is killed')
let database: TestDatabase
let store: Store
let start: () => Child
crash.before.each(async (created) => {
  database = created
  store = await database.open(20_000)
  const { folder, address } = database
  openFolderObjects(join(folder, 'objects'))
  const run = await bundleProgram('worker/crashing.ts')
  start = () => run([folder, address])
})
const kills = 8
/** The longest time from the creation of tasks to the kill. */
const lastKillMs = 90

interface LedgerRow {
  readonly unit_id: string
  readonly certain: number
  readonly maybe_duplicate: number
  readonly delivered: number
}

async function kill(child: Child): Promise<void> {
  child.process.kill('SIGKILL')
  await child.ended
}

async function waitForEnd(store: Store, ids: readonly string[]): Promise<Task[]> {
  const giveUpAt = Date.now() + 100_000
  for (;;) {
    const all = await Promise.all(ids.map((id) => store.findTask(id)))
    const done = all.filter((task) => task !== undefined && isFinalStatus(task.status)) as Task[]
    if (done.length === ids.length) return done
    if (Date.now() > giveUpAt) throw new Error(`${ids.length - done.length} tasks do not end`)
    await delay(20)
  }
}

/** Compares every unit with its real purchases: the ID of a unit each. */
function checkUnits(tasks: readonly Task[], purchases: readonly string[], ledger: readonly LedgerRow[]): void {
  for (const task of tasks) {
    for (const [place, unit] of task.units.entries()) {
      const id = `${task.id}/00${place}`
      const rows = ledger.filter(({ unit_id }) => unit_id === id)
      const certain = rows.filter((row) => row.certain === 1)
      const unclear = rows.length - certain.length
      const bought = purchases.filter((one) => one === id).length
      assert.is(certain.length, unit.status === 'success' ? 1 : 0, `${id}: delivered once, booked once`)
      assert.is(rows.filter(({ delivered }) => delivered === 1).length, certain.length)
      assert.ok(bought >= certain.length && bought <= rows.length, `${id}: ${bought} bought, ${rows.length} booked`)
      assert.ok(bought <= (task.kind === 'avatar' ? 2 : 1), `${id}: bought ${bought} times`)
      // A second purchase follows only an ambiguous one, and is marked. A failure is ambiguous too.
      if (rows.length > 1) assert.ok(rows.some(({ maybe_duplicate }) => maybe_duplicate === 1))
      if (unit.status === 'failed')
        assert.ok(unclear >= (task.kind === 'avatar' ? 2 : 1), `${id}: failed for no reason`)
    }
  }
}

crash('loses no pose at any moment, delivers no pose twice, and marks repeated purchases', async () => {
  const ids: string[] = []
  const create = async (task: NewTask) => {
    await store.createTask(task, 'pet-avatar')
    ids.push(task.id)
  }
  const workers = [start(), start()]
  try {
    for (let count = 0; count < kills; count++) {
      const worker = workers.shift()
      if (worker === undefined) throw new Error('there is no worker')
      await worker.ready
      for (let task = 0; task < 2; task++) await create(task === 0 ? newAvatar() : newAnimation('a'))
      // The moments are spread evenly over the work.
      await delay(((count + Math.random()) / kills) * lastKillMs)
      await kill(worker)
      workers.push(start())
    }
    const tasks = await waitForEnd(store, ids)
    await Promise.all(workers.map(kill))
    const ledger = (await database.query('select * from usage_ledger')) as unknown as LedgerRow[]
    const purchases = readFileSync(join(database.folder, 'purchases'), 'utf8').trim().split('\n')
    assert.is(tasks.length, 2 * kills)
    checkUnits(tasks, purchases, ledger)
    const delivered = tasks.flatMap(({ units }) => units.filter(({ status }) => status === 'success'))
    assert.ok(delivered.length > kills, `only ${delivered.length} poses were delivered`)
  } finally {
    await Promise.all(workers.map(kill))
  }
})

crash('is replaced immediately, long before its lease expires', async () => {
  const holders = [start()]
  try {
    await holders[0]?.ready
    const task = newAvatar()
    await store.createTask(task, 'pet-avatar')
    const started = () => readEvents(database.folder).filter(({ event }) => event === 'started').length
    while (started() < 4) await delay(5)
    await Promise.all(holders.map(kill))
    holders.push(start())
    const [done] = await waitForEnd(store, [task.id])
    assert.ok(done?.units.every(({ status }) => status !== 'pending'))
  } finally {
    await Promise.all(holders.map(kill))
  }
})

function readEvents(folder: string): TaskEntry[] {
  try {
    const lines = readFileSync(join(folder, 'log'), 'utf8').split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line))
  } catch {
    // The log does not exist before the first line.
    return []
  }
}

crash.run()
