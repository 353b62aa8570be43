import { join } from 'node:path'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import type { Store } from '../../../src/ports/store.js'
import { newAvatar } from '../../helpers/tasks.js'
import { fill } from './filled.js'
import { readTasks, startReader } from './reads.js'
import { atLeast, type BenchRow, measureInterleaved, median, ratiosOf, row, timeRatios } from './row.js'
import { compare } from './server/compare.js'
import { startLoadGenerator, type World } from './server/processes.js'

const few = 1000
const many = 1_000_000
const manyText = many.toLocaleString('en-US')
const fewText = few.toLocaleString('en-US')

/** The store among a million tasks, against the store among a thousand; takes two minutes, most of them to fill a database. */
export async function benchGrown(world: World): Promise<BenchRow[]> {
  const small = await fill(join(world.folder, 'small.db'), few)
  const large = await fill(join(world.folder, 'large.db'), many)
  return [await benchRead(world, small, large), await benchClaim(small, large)]
}

async function benchRead({ keep }: World, small: string, large: string): Promise<BenchRow> {
  const load = keep(startLoadGenerator())
  const results = await compare(load, {
    bare: { server: keep(await startReader('bare', small)), job: readTasks(few) },
    bareLarge: { server: keep(await startReader('bare', large)), job: readTasks(many) },
    store: { server: keep(await startReader('store', small)), job: readTasks(few) },
    large: { server: keep(await startReader('store', large)), job: readTasks(many) },
  })
  const bare = median(ratiosOf(results.bareLarge, results.bare, ({ perSecond }) => perSecond))
  const cpu = median(ratiosOf(results.store, results.large, ({ cpuMicros }) => cpuMicros))
  return row(
    'grown-read',
    `read a task among ${manyText}: rate, of among ${fewText}`,
    ratiosOf(results.large, results.store, ({ perSecond }) => perSecond),
    atLeast(0.95),
    `by CPU time ${cpu.toFixed(2)}; one prepared select ${bare.toFixed(2)}`,
  )
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
    7,
  )
  await Promise.all(Object.values(stores).map((store) => store.close()))
  return row(
    'grown-claim',
    `claim and settle units among ${manyText} finished tasks: rate, of among ${fewText}`,
    timeRatios(seconds.small, seconds.large),
    atLeast(0.9),
    `${Math.round(count / median(seconds.large))}/s`,
  )
}
