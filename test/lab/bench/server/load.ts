/**
 * A load generator of its own process: keep-alive connections on raw sockets, each sends the next request when its answer
 * is in. Reads one JSON job a line from standard input and prints one JSON result a line.
 */
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface LoadJob {
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  /** In turn: bodies are posted to `path`, `paths` are read. */
  readonly path?: string
  readonly bodies?: readonly string[]
  readonly paths?: readonly string[]
  readonly connections: number
  readonly seconds: number
  /** Ends earlier, after so many requests. */
  readonly requestsAtMost?: number
}

export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
}

async function run(job: LoadJob): Promise<LoadResult> {
  const { port, connections, seconds, requestsAtMost = Number.POSITIVE_INFINITY } = job
  const requests = buildRequests(job)
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let next = 0

  function converse(socket: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      let sentAt = 0
      let missing = -1
      let text = ''
      const send = () => {
        sentAt = performance.now()
        if (sentAt >= endsAt || next >= requestsAtMost) {
          socket.destroy()
          resolve()
          return
        }
        text = ''
        missing = -1
        socket.write(requests[next++ % requests.length] ?? '')
      }
      socket.on('data', (chunk) => {
        if (missing === -1) {
          text += chunk.toString('latin1')
          const end = text.indexOf('\r\n\r\n')
          if (end === -1) return
          const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
          missing = end + 4 + length - text.length
        } else missing -= chunk.length
        if (missing > 0) return
        latencies.push(performance.now() - sentAt)
        const status = text.slice(9, 12)
        statuses[status] = (statuses[status] ?? 0) + 1
        send()
      })
      socket.on('error', reject)
      socket.on('connect', send)
    })
  }

  await Promise.all(
    Array.from({ length: connections }, () => converse(connect({ port, host: '127.0.0.1', noDelay: true }))),
  )
  const tookSeconds = (performance.now() - startedAt) / 1000
  latencies.sort((one, other) => one - other)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return { perSecond: latencies.length / tookSeconds, p50Ms: at(0.5), p99Ms: at(0.99), statuses }
}

function buildRequests({ path, headers, bodies = [], paths = [] }: LoadJob): Buffer[] {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `Host: 127.0.0.1\r\n${fields.join('')}`
  const posts = bodies.map(
    (body) =>
      `POST ${path} HTTP/1.1\r\n${head}` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  const gets = paths.map((path) => `GET ${path} HTTP/1.1\r\n${head}\r\n`)
  return [...posts, ...gets].map((text) => Buffer.from(text))
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`)
}
