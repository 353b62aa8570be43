import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makePhoto } from '../helpers/media.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import type { BenchRow } from './row.js'
import { type Running, start, startLoadGenerator } from './server/processes.js'

const program = fileURLToPath(new URL('../../bin/svc.js', import.meta.url))
const count = 1000
const healthSeconds = 8
const pollMs = 250
/** Half as much again as it takes: memory that is not given back after each picture shows. */
const memoryMibAtMost = 512

/** Requests a thousand avatars at once, with a thousand idle connections open; takes about a minute. */
export async function benchCreates(): Promise<BenchRow[]> {
  const { folder, close } = openTemporaryFolder()
  const created = execFileSync(process.execPath, [
    program,
    ...['key', 'create', '--name', 'bench', '--rate-limit', '0', '--data-dir', folder, '--json'],
  ])
  const svc = await start(process.execPath, [program, 'serve', '--port', '0', '--json', '--data-dir', folder])
  const load = startLoadGenerator()
  const resting = Array.from({ length: count }, () => connect(svc.ready.port, '127.0.0.1'))
  try {
    await Promise.all(resting.map(rest))
    const send = await openCaller(svc, JSON.parse(String(created)).key)
    const health = load.run({
      port: svc.ready.port,
      headers: {},
      paths: ['/health'],
      connections: 1,
      seconds: healthSeconds,
    })
    const answers = await Promise.all(Array.from({ length: count }, () => send('POST', '/v1/pet-avatar/generate')))
    const ids = answers.flatMap(({ status, body }) => (status === 200 ? [body.task_id] : []))
    let finished = 0
    for (const id of ids) if ((await waitForEnd(send, id)) === 'success') finished++
    return describe({ accepted: ids.length, finished, p99Ms: (await health).p99Ms, memoryMib: readPeakMib(svc) })
  } finally {
    for (const socket of resting) socket.destroy()
    load.stop()
    await svc.stop()
    close()
  }
}

function describe(seen: { accepted: number; finished: number; p99Ms: number; memoryMib: number }): BenchRow[] {
  const { accepted, finished, p99Ms, memoryMib } = seen
  const what = `${count.toLocaleString('en-US')} creates at once`
  return [
    {
      what: `${what}, with as many idle connections: accepted and finished`,
      measured: `${accepted} and ${finished}`,
      goal: 'all',
      met: accepted === count && finished === count,
    },
    {
      what: `p99 of GET /health in the ${healthSeconds} s after that began`,
      measured: `${Math.round(p99Ms)} ms`,
      goal: '< 50 ms',
      met: p99Ms < 50,
    },
    {
      what: `peak memory of the server for ${what}`,
      measured: memoryMib === 0 ? 'skipped: only Linux tells' : `${memoryMib} MiB`,
      goal: `<= ${memoryMibAtMost} MiB`,
      met: memoryMib <= memoryMibAtMost,
    },
  ]
}

/** A connection that has had one answer and stays. */
async function rest(socket: Socket): Promise<void> {
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  socket.on('error', () => {}).resume()
}

// biome-ignore lint/suspicious/noExplicitAny: the few members that are read are those of the contract.
type Send = (method: string, path: string) => Promise<{ readonly status: number; readonly body: any }>

/** Sends calls with the key, each on a connection of its own; what is posted is the form of a create call. */
async function openCaller({ ready }: Running, key: string): Promise<Send> {
  const field = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = '--x\r\nContent-Disposition: form-data; name="source_image"; filename="a.jpg"\r\n\r\n'
  const head = Buffer.from(`${field('species', 'dog')}${field('poses', 'sitting')}${file}`)
  const form = Buffer.concat([head, await makePhoto(), Buffer.from('\r\n--x--\r\n')])
  return async (method, path) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x' }
    const call = request({ host: '127.0.0.1', port: ready.port, method, path, agent: false, headers })
    call.end(method === 'POST' ? form : undefined)
    const [response] = await once(call, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
  }
}

async function waitForEnd(send: Send, id: string): Promise<string> {
  for (;;) {
    const { body } = await send('GET', `/v1/pet-avatar/tasks/${id}`)
    if (!['pending', 'processing'].includes(body.status)) return body.status
    await delay(pollMs)
  }
}

/** The peak resident memory so far, from /proc; 0 without /proc. */
function readPeakMib({ pid }: Running): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
