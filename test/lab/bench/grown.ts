import { join } from 'node:path'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import type { Store } from '../../../src/ports/store.js'
import { newAvatar } from '../../helpers/tasks.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { fill } from './filled.js'
import { readTasks, startReader } from './reads.js'
import { atLeast, type BenchRow, measureInterleaved, median, ratiosOf, row, timeRatios } from './row.js'
import { compare } from './server/compare.js'
import { startLoadGenerator } from './server/processes.js'

const few = 1000
const many = 1_000_000
const manyText = many.toLocaleString('en-US')
const fewText = few.toLocaleString('en-US')

/** The store among a million tasks, against the store among a thousand; takes two minutes, most of them to fill a database. */
export async function benchGrown(): Promise<BenchRow[]> {
  const { folder, close } = openTemporaryFolder()
  try {
    const small = await fill(join(folder, 'small.db'), few)
    const large = await fill(join(folder, 'large.db'), many)
    return [await benchRead(small, large), await benchClaim(small, large)]
  } finally {
    close()
  }
}

async function benchRead(small: string, large: string): Promise<BenchRow> {
  const load = startLoadGenerator()
  const servers = {
    bare: await startReader('bare', small),
    bareLarge: await startReader('bare', large),
    store: await startReader('store', small),
    large: await startReader('store', large),
  }
  try {
    const results = await compare(load, {
      bare: { server: servers.bare, job: readTasks(few) },
      bareLarge: { server: servers.bareLarge, job: readTasks(many) },
      store: { server: servers.store, job: readTasks(few) },
      large: { server: servers.large, job: readTasks(many) },
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
  } finally {
    load.stop()
    await Promise.all(Object.values(servers).map((server) => server.stop()))
  }
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
