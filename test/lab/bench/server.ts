import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCountedKey } from './filled.js'
import { atMost, type BenchRow, median, row } from './row.js'
import { call, compare, firstCalls, type Target, toCpuRatios, toRows } from './server/compare.js'
import {
  type Driven,
  drive,
  type LoadGenerator,
  openWorld,
  type Running,
  readMemoryMib,
  startLoadGenerator,
  startPinned,
  startSvc,
} from './server/processes.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
export const bareServer = at('./server/bare.mjs')
const what = 'POST of a health detail insight'
const of = 'bare node:http that parses and answers'

/** The code of a server is compiled in another way at each start. */
const starts = 4
const roundsPerStart = 3

type Results = Record<'bare' | 'svc', Driven[]>

/** The server against a bare `node:http` server, on loopback; takes three minutes. */
export async function benchServer(): Promise<BenchRow[]> {
  const [first, many, one] = [newResults(), newResults(), newResults()]
  for (let start = 0; start < starts; start++) {
    await withServers(async ({ load, svc, bare, job }) => {
      const toTargets = (connections: number): Record<'bare' | 'svc', Target> => ({
        bare: { server: bare, job: { ...job, connections } },
        svc: { server: svc, job: { ...job, connections } },
      })
      for (const name of ['bare', 'svc'] as const) first[name].push(await call(load, toTargets(32)[name], firstCalls))
      add(many, await compare(load, toTargets(32), roundsPerStart))
      add(one, await compare(load, toTargets(1), roundsPerStart))
    })
  }
  return [
    toCpuRow(
      'post-first',
      `${what}, 32 connections, the first ${firstCalls.toLocaleString('en-US')} calls`,
      2.7,
      first,
    ),
    toCpuRow('post-cpu', `${what}, 32 connections`, 2, many),
    ...toRows({ id: 'post', what: `${what}, 32 connections`, of, rate: 0.5, p99: 3 }, many.svc, many.bare),
    toCpuRow('post-one-cpu', `${what}, one connection`, 3.1, one),
    ...toRows({ id: 'post-one', what: `${what}, one connection`, of, rate: 0.5 }, one.svc, one.bare),
  ]
}

const newResults = (): Results => ({ bare: [], svc: [] })

function add(results: Results, more: Results): void {
  for (const name of ['bare', 'svc'] as const) results[name].push(...more[name])
}

function toCpuRow(id: string, work: string, goal: number, { bare, svc }: Results): BenchRow {
  const note = `${median(svc.map(({ cpuMicros }) => cpuMicros)).toFixed(0)} us`
  return row(id, `${work}: CPU time, of ${of}`, toCpuRatios(svc, bare), atMost(goal), note)
}

/** The memory of the server after 20,000 requests, against that of the bare server after as many. */
export async function benchMemory(): Promise<BenchRow[]> {
  const requests = 20_000
  return withServers(async ({ load, svc, bare, job }) => {
    const measure = async (server: Running) => {
      await drive(load, server, { ...job, connections: 32, seconds: 600, requestsAtMost: requests })
      return readMemoryMib(server, 'VmRSS')
    }
    const alone = await measure(bare)
    const own = await measure(svc)
    return [
      row(
        'memory',
        `memory of svc serve after ${requests.toLocaleString('en-US')} requests, of bare node:http after as many`,
        Number.isNaN(own) ? [] : [own / alone],
        atMost(2.2),
        `${own.toFixed(0)} MiB`,
      ),
    ]
  })
}

interface Servers {
  readonly load: LoadGenerator
  readonly svc: Running
  readonly bare: Running
  readonly job: Omit<Target['job'], 'connections'>
}

async function withServers<Result>(bench: (servers: Servers) => Promise<Result>): Promise<Result> {
  const { folder, keep, close } = openWorld()
  const headers = { Authorization: `Bearer ${createCountedKey(folder)}` }
  try {
    const job = { headers, path: '/v1/health-detail-insights/generate', bodies: varyBodies() }
    const svc = keep(await startSvc(folder))
    const bare = keep(await startPinned(process.execPath, [bareServer]))
    return await bench({ svc, bare, job, load: keep(startLoadGenerator()) })
  } finally {
    await close()
  }
}

/** Every fixture, each for several users, pets and names: no two requests in a row are alike. */
function varyBodies(): string[] {
  const folder = at('../../../fixtures/insight/')
  const payloads = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  return Array.from({ length: 10 }, (_, variant) =>
    payloads.map((payload, index) =>
      JSON.stringify({
        ...payload,
        userId: `user-${variant * 131 + index}`,
        petId: `pet-${variant * 977 + index}`,
        petProfile: { ...payload.petProfile, name: `Pet ${variant}-${index}` },
      }),
    ),
  ).flat()
}
