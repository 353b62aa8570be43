import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchRow } from './row.js'
import { drive, type Running, start, startLoadGenerator, timeToFirst200 } from './server/processes.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const program = at('../../bin/svc.js')
const bareServer = at('./server/bare.mjs')
const python = '/usr/bin/python3'
const rounds = 7
/** V8 goes on compiling the code that turns out to be busy for some ten seconds. */
const roundsToWarm = 4
const secondsPerRound = 2
const connections = 32

/** The server against a bare `node:http` server and FastAPI, on loopback; takes about a minute. */
export async function benchServer(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  try {
    return [...(await benchGenerate(folder)), ...(await benchStart(folder))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchGenerate(folder: string): Promise<BenchRow[]> {
  const dataDir = join(folder, 'generate')
  const created = execFileSync(process.execPath, [
    program,
    ...['key', 'create', '--name', 'bench', '--rate-limit', '1000000000', '--data-dir', dataDir, '--json'],
  ])
  const load = startLoadGenerator()
  const svc = await start(process.execPath, [program, 'serve', '--port', '0', '--json', '--data-dir', dataDir])
  const bare = await start(process.execPath, [bareServer])
  const fastApi = canRunFastApi() ? await start(python, [at('./server/fastapi_app.py')]) : undefined
  try {
    const headers = { Authorization: `Bearer ${JSON.parse(String(created)).key}` }
    const path = '/v1/health-detail-insights/generate'
    const job = { headers, path, bodies: varyBodies(), connections, seconds: secondsPerRound }
    const results: Results = { svc: [], bare: [], fastApi: [] }
    const measure = (server: Running) => drive(load, server, job)
    for (let round = 0; round < roundsToWarm; round++) {
      await measure(bare)
      await measure(svc)
    }
    for (let round = 0; round < rounds; round++) {
      results.bare.push(await measure(bare))
      results.svc.push(await measure(svc))
      if (fastApi !== undefined && round < 3) results.fastApi.push(await measure(fastApi))
    }
    return describeGenerate(results)
  } finally {
    load.stop()
    await Promise.all([svc.stop(), bare.stop(), fastApi?.stop()])
  }
}

type Results = Record<'svc' | 'bare' | 'fastApi', Awaited<ReturnType<typeof drive>>[]>

function describeGenerate(results: Results): BenchRow[] {
  const rates = medianOf(results.svc, (result) => result.perSecond)
  const rate = medianOfPairs(results.svc, results.bare, (result) => result.perSecond)
  const tail = medianOfPairs(results.svc, results.bare, (result) => result.p99Ms)
  const fast = rates / medianOf(results.fastApi, (result) => result.perSecond)
  const micros = medianOf(results.svc, (result) => result.cpuMicros)
  const cpu = medianOfPairs(results.bare, results.svc, (result) => result.cpuMicros)
  const what = 'POST generate, 32 connections'
  return [
    {
      what: `${what}: rate, of bare node:http`,
      measured: `${rate.toFixed(2)} (${Math.round(rates)}/s); by CPU time ${cpu.toFixed(2)} (${Math.round(micros)} us)`,
      goal: '>= 0.55',
      met: rate >= 0.55,
    },
    {
      what: `${what}: p99, of bare node:http`,
      measured: `${tail.toFixed(2)} (${medianOf(results.svc, (result) => result.p99Ms).toFixed(1)} ms)`,
      goal: '<= 4',
      met: tail <= 4,
    },
    results.fastApi.length === 0
      ? {
          what: `${what}: rate, of FastAPI`,
          measured: 'skipped: python3-fastapi or -uvicorn is missing',
          goal: '>= 5',
        }
      : { what: `${what}: rate, of FastAPI`, measured: fast.toFixed(1), goal: '>= 5', met: fast >= 5 },
  ]
}

async function benchStart(folder: string): Promise<BenchRow[]> {
  const dataDir = join(folder, 'start')
  const serve = [program, 'serve', '--port', '0', '--json', '--data-dir', dataDir]
  await timeToFirst200(process.execPath, serve)
  const svc: { ms: number; rssBytes: number }[] = []
  const bare: { ms: number; rssBytes: number }[] = []
  for (let round = 0; round < 9; round++) {
    bare.push(await timeToFirst200(process.execPath, [bareServer]))
    svc.push(await timeToFirst200(process.execPath, serve))
  }
  const time = medianOfPairs(svc, bare, ({ ms }) => ms)
  const memory = medianOfPairs(svc, bare, ({ rssBytes }) => rssBytes)
  return [
    {
      what: 'svc serve to the first 200, of bare node:http',
      measured: `${time.toFixed(2)} (${Math.round(medianOf(svc, ({ ms }) => ms))} ms)`,
      goal: '<= 2',
      met: time <= 2,
    },
    {
      what: 'svc serve idle memory, of bare node:http',
      measured: `${memory.toFixed(2)} (${Math.round(medianOf(svc, ({ rssBytes }) => rssBytes) / 2 ** 20)} MiB)`,
      goal: '<= 2',
      met: memory <= 2,
    },
  ]
}

/** Every fixture, each for several users, pets and names: no two requests in a row are alike. */
function varyBodies(): string[] {
  const folder = at('../../fixtures/insight/')
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

function medianOf<T>(values: readonly T[], read: (value: T) => number): number {
  const sorted = values.map(read).sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The median of the ratios of rounds that ran side by side. */
function medianOfPairs<T>(values: readonly T[], base: readonly T[], read: (value: T) => number): number {
  return medianOf(
    values.map((value, round) => read(value) / read(base[round] ?? value)),
    (ratio) => ratio,
  )
}
