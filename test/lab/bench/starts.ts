import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { atMost, type BenchRow, median, ratiosOf, row } from './row.js'
import { type Running, readMemoryMib, startPinned, startSvc, type World } from './server/processes.js'
import { bareServer } from './server.js'

const rounds = 15

/** The start of the server against that of a bare `node:http` server. */
export async function benchStart({ folder }: World): Promise<BenchRow[]> {
  const measureSvc = () => measureStart(() => startSvc(folder))
  const measureBare = () => measureStart(() => startPinned(process.execPath, [bareServer]))
  // The first start makes the data directory.
  await measureSvc()
  await measureBare()
  const [svc, bare]: [Started[], Started[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    bare.push(await measureBare())
    svc.push(await measureSvc())
  }
  const toRow = (id: string, what: string, read: (start: Started) => number, unit: string) =>
    row(
      id,
      `${what}, of bare node:http`,
      ratiosOf(svc, bare, read),
      atMost(2),
      `${median(svc.map(read)).toFixed()} ${unit}`,
    )
  return [
    toRow('start', 'svc serve to the first 200', ({ ms }) => ms, 'ms'),
    toRow('idle-memory', 'memory of an idle svc serve', ({ memoryMib }) => memoryMib, 'MiB'),
  ]
}

interface Started {
  /** From the start of the process to its first 200, asked for as soon as it names its port. */
  readonly ms: number
  readonly memoryMib: number
}

async function measureStart(start: () => Promise<Running>): Promise<Started> {
  const startedAt = performance.now()
  const running = await start()
  const [response] = await once(
    get({ host: '127.0.0.1', port: running.ready.port, path: '/health', agent: false }),
    'response',
  )
  response.resume()
  const ms = performance.now() - startedAt
  if (response.statusCode !== 200) throw new Error(`GET /health answered ${response.statusCode}`)
  await delay(300)
  const memoryMib = readMemoryMib(running, 'VmRSS')
  await running.stop()
  return { ms, memoryMib }
}
