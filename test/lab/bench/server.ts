import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { createCountedKey } from './filled.js'
import { type BenchRow, median } from './row.js'
import { compare, type Target, toRows } from './server/compare.js'
import { drive, type Running, readMemoryMib, startLoadGenerator, startPinned, startSvc } from './server/processes.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
export const bareServer = at('./server/bare.mjs')
const python = '/usr/bin/python3'
const what = 'POST of a health detail insight'
const of = 'bare node:http that parses and answers'

/** The server against a bare `node:http` server and FastAPI, on loopback; takes two minutes. */
export async function benchServer(): Promise<BenchRow[]> {
  return withServers(async ({ svc, bare, job }) => {
    const load = startLoadGenerator()
    const fastApi = canRunFastApi() ? await startPinned(python, [at('./server/fastapi_app.py')]) : undefined
    try {
      const toTargets = (connections: number): Record<'bare' | 'svc', Target> => ({
        bare: { server: bare, job: { ...job, connections } },
        svc: { server: svc, job: { ...job, connections } },
      })
      const many = await compare(load, toTargets(32))
      const one = await compare(load, toTargets(1))
      return [
        ...toRows({ id: 'post', what: `${what}, 32 connections`, of, rate: 0.6, p99: 3 }, many.svc, many.bare),
        ...toRows({ id: 'post-one', what: `${what}, one connection`, of, rate: 0.7, p99: 2 }, one.svc, one.bare),
        {
          id: 'post-fastapi',
          what: `${what}, 32 connections: rate, of FastAPI with pydantic`,
          ...(await compareWithFastApi(fastApi, median(many.svc.map(({ perSecond }) => perSecond)))),
          unit: 'x',
          direction: 'at least',
          goal: 5,
        },
      ]
    } finally {
      load.stop()
      await fastApi?.stop()
    }

    async function compareWithFastApi(server: Running | undefined, perSecond: number) {
      if (server === undefined) return { values: [], note: 'skipped: python3-fastapi or -uvicorn is missing' }
      const values: number[] = []
      for (let round = 0; round < 3; round++) {
        const result = await drive(load, server, { ...job, connections: 32, seconds: 2 })
        values.push(perSecond / result.perSecond)
      }
      return { values }
    }
  })
}

/** The memory of the server after 20,000 requests, against that of the bare server after as many. */
export async function benchMemory(): Promise<BenchRow[]> {
  const requests = 20_000
  return withServers(async ({ svc, bare, job }) => {
    const load = startLoadGenerator()
    try {
      const measure = async (server: Running) => {
        await drive(load, server, { ...job, connections: 32, seconds: 600, requestsAtMost: requests })
        return readMemoryMib(server, 'VmRSS')
      }
      const alone = await measure(bare)
      const own = await measure(svc)
      return [
        {
          id: 'memory',
          what: `memory of svc serve after ${requests.toLocaleString('en-US')} requests, of bare node:http after as many`,
          values: Number.isNaN(own) ? [] : [own / alone],
          unit: 'x',
          direction: 'at most',
          goal: 1.6,
          note: `${own.toFixed(0)} MiB`,
        },
      ]
    } finally {
      load.stop()
    }
  })
}

interface Servers {
  readonly svc: Running
  readonly bare: Running
  readonly job: Omit<Target['job'], 'connections'>
}

async function withServers(bench: (servers: Servers) => Promise<BenchRow[]>): Promise<BenchRow[]> {
  const { folder, close } = openTemporaryFolder()
  const headers = { Authorization: `Bearer ${createCountedKey(folder)}` }
  const svc = await startSvc(folder)
  const bare = await startPinned(process.execPath, [bareServer])
  try {
    const job = { headers, path: '/v1/health-detail-insights/generate', bodies: varyBodies() }
    return await bench({ svc, bare, job })
  } finally {
    await Promise.all([svc.stop(), bare.stop()])
    close()
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

function canRunFastApi(): boolean {
  return spawnSync(python, ['-c', 'import fastapi, pydantic, uvicorn']).status === 0
}
