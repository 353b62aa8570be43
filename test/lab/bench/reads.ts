import { dirname, join } from 'node:path'
import { createCountedKey, fill, toId } from './filled.js'
import type { BenchRow } from './row.js'
import { compare, type Target, toRows } from './server/compare.js'
import { type Running, startLoadGenerator, startPinned, startSvc, type World } from './server/processes.js'

/** The task reader, bundled next to this bench. */
const reader = join(dirname(process.argv[1] ?? ''), 'server/task-reader.mjs')
const tasks = 1000

/** Reads of a task, through the store and through the whole server, against `node:http` with one prepared select. */
export async function benchReads({ folder, keep }: World): Promise<BenchRow[]> {
  const load = keep(startLoadGenerator())
  const file = await fill(join(folder, 'svc.db'), tasks)
  const authorization = `Bearer ${createCountedKey(folder)}`
  const svc = keep(await startSvc(folder))
  const bare = keep(await startReader('bare', file))
  const store = keep(await startReader('store', file))
  const of = 'node:http with one prepared select'
  const toTargets = (connections: number): Record<'bare' | 'svc', Target> => ({
    bare: { server: bare, job: readTasks(tasks, connections) },
    svc: {
      server: svc,
      job: { ...readTasks(tasks, connections, '/v1/pet-avatar/tasks'), headers: { authorization } },
    },
  })
  const many = await compare(load, { ...toTargets(32), store: { server: store, job: readTasks(tasks) } })
  const one = await compare(load, toTargets(1))
  const what = 'GET of a task through the whole server, with a key that is counted'
  return [
    ...toRows({ id: 'get', what: `${what}, 32 connections`, of, rate: 0.78, p99: 2 }, many.svc, many.bare),
    ...toRows({ id: 'get-one', what: `${what}, one connection`, of, rate: 0.6, p99: 2 }, one.svc, one.bare),
    ...toRows(
      { id: 'get-store', what: 'a task from the store over node:http, 32 connections', of, rate: 0.7 },
      many.store,
      many.bare,
    ),
  ]
}

export function startReader(mode: 'bare' | 'store', file: string): Promise<Running> {
  return startPinned(process.execPath, [reader, mode, file])
}

/** Reads 5000 tasks from all over the database, again and again. */
export function readTasks(count: number, connections = 32, path = ''): Target['job'] {
  const paths = Array.from({ length: 5000 }, (_, index) => `${path}/${toId((index * 7919) % count)}`)
  return { headers: {}, paths, connections }
}
