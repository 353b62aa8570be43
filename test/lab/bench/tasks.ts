import { join } from 'node:path'
import { openSqlite } from '../../../src/adapters/sql/sqlite/dialect.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import type { Store } from '../../../src/ports/store.js'
import { newAvatar } from '../../helpers/tasks.js'
import { prepareInserts, toId } from './filled.js'
import { atLeast, type BenchRow, measureInterleaved, median, row, timeRatios } from './row.js'
import type { World } from './server/processes.js'

const connections = 32
const created = 4000
const rounds = 7

/** The creation of tasks in the store, against SQLite alone. */
export async function benchTasks({ folder }: World): Promise<BenchRow[]> {
  const store = await openSqliteStore(join(folder, 'store.db'))
  await (await openSqliteStore(join(folder, 'raw.db'))).close()
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
  await store.close()
  const toRow = (base: 'each' | 'bulk', how: string): BenchRow =>
    row(
      `create-${base}`,
      `create a task of 4 units, on disk before its answer, ${connections} at a time: rate, of SQLite alone with ${how}`,
      timeRatios(seconds[base], seconds.store),
      atLeast(0.5),
      `${Math.round(created / median(seconds.store))}/s`,
    )
  return [toRow('each', 'a commit each'), toRow('bulk', 'one commit for all')]
}

async function createConcurrently(store: Store): Promise<void> {
  let left = created
  const create = async () => {
    while (left-- > 0) await store.createTask(newAvatar(), 'pet-avatar')
  }
  await Promise.all(Array.from({ length: connections }, create))
}
