import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { makePhoto } from '../../helpers/media.js'
import { createKey } from './filled.js'
import { atLeast, atMost, type BenchRow, row } from './row.js'
import { openCaller, waitForEnd } from './server/avatar-calls.js'
import { readMemoryMib, start, startLoadGenerator, startSvc, type World } from './server/processes.js'

const count = 1000
const healthSeconds = 8
/** Half as much again as it takes: memory that is not given back after each picture shows. */
const memoryMibAtMost = 512

/** Requests a thousand avatars at once, with a thousand idle connections open; takes about a minute. */
export async function benchCreates({ folder, keep }: World): Promise<BenchRow[]> {
  const key = createKey(folder, 0)
  const svc = keep(await startSvc(folder, start))
  const load = keep(startLoadGenerator())
  const { port } = svc.ready
  const resting = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  keep({ stop: () => resting.map((socket) => socket.destroy()) })
  await Promise.all(resting.map(rest))
  const send = await openCaller(svc, key, ['sitting'], await makePhoto())
  const health = load.run({ port, headers: {}, paths: ['/health'], connections: 1, seconds: healthSeconds })
  const answers = await Promise.all(Array.from({ length: count }, () => send('POST', '/v1/pet-avatar/generate')))
  const ids = answers.flatMap(({ status, body }) => (status === 200 ? [body.task_id] : []))
  let finished = 0
  for (const id of ids) if ((await waitForEnd(send, id)) === 'success') finished++
  const { p99Ms } = await health
  const memoryMib = readMemoryMib(svc, 'VmHWM')
  const what = `${count.toLocaleString('en-US')} creates at once`
  return [
    row('creates', `${what}, with as many idle connections: accepted and finished`, [finished], atLeast(count, '')),
    row('creates-health', `p99 of GET /health in the ${healthSeconds} s after that began`, [p99Ms], atMost(50, 'ms')),
    row(
      'creates-memory',
      `peak memory of the server for ${what}`,
      Number.isNaN(memoryMib) ? [] : [memoryMib],
      atMost(memoryMibAtMost, 'MiB'),
      Number.isNaN(memoryMib) ? 'skipped: only Linux tells' : undefined,
    ),
  ]
}

/** A connection that has had one answer and stays. */
async function rest(socket: Socket): Promise<void> {
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  socket.on('error', () => {}).resume()
}
