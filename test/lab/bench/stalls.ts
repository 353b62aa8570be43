import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { program } from '../../helpers/svc.js'
import { createCountedKey, fill } from './filled.js'
import { atMost, type BenchRow, median, row } from './row.js'
import type { World } from './server/processes.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const rounds = 5
const bytes = (1 << 20) - 1024
const stallMsAtMost = 50

/** Bodies of nearly 1 MiB that cost a server more than others of their size. */
const bodies: Readonly<Record<string, { readonly path: string; readonly text: string }>> = {
  'unknown members': insight(`{${repeat((index) => `"k${index}":1`)}}`),
  'unknown members after a wrong one': insight(`{"metric":5,${repeat((index) => `"k${index}":1`)}}`),
  'unknown members, each nearly a known one': insight(`{${repeat((index) => `"schemaVersiom${index}":1`)}}`),
  'unknown members in every object': insight(`{"metrics":{${repeat((index) => `"m${index}":{"x":0}`)}}}`),
  'nested arrays': insight(`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`),
  'a day for each number': insight(
    `{"metric":"activity","viewWindow":"week","metrics":{"steps":{"dailySteps":[${repeat(() => '-1e9')}]}}}`,
  ),
  'escapes in a name': insight(`{"petProfile":{"name":"${'\\u0041'.repeat(bytes / 6)}"}}`),
  'a number with a million digits': insight(`{"userId":${'9'.repeat(bytes)}}`),
  feedback: {
    path: '/v1/pet-avatars/feedback',
    text: `{"feedbacks":[${repeat((index) => `{"cos_key":"ai-gateway/${index}"}`)}]}`,
  },
  'unknown fields of an avatar': {
    path: '/v1/pet-avatar/generate',
    text: `{"species":"dog",${repeat((index) => `"pose${index}":1`)}}`,
  },
}

/** The longest time that a hostile body holds the event loop of a server, with the time of `JSON.parse` alone. */
export async function benchStalls({ folder, keep }: World): Promise<BenchRow[]> {
  await fill(`${folder}/svc.db`, 1)
  const authorization = `Bearer ${createCountedKey(folder)}`
  const server = fork(program, ['serve', '--port', '0', '--json', '--data-dir', folder], {
    execArgv: ['--require', at('./loop-delay.cjs')],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(server, 'exit')
  keep({ stop: () => server.kill() && exited })
  if (server.stdout === null) throw new Error('The server has no standard output.')
  const [line] = await once(createInterface({ input: server.stdout }), 'line')
  const { port } = JSON.parse(line)
  const takeLongest = async (): Promise<number> => {
    const answer = once(server, 'message')
    server.send('take')
    return (await answer)[0]
  }
  const stalls: Record<string, number[]> = {}
  for (const [name, { path, text }] of Object.entries(bodies)) {
    const found: number[] = []
    for (let round = 0; round <= rounds; round++) {
      await delay(20)
      await takeLongest()
      const headers = { authorization, 'content-type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: text })
      await response.text()
      await delay(20)
      const longest = await takeLongest()
      if (response.status !== 422) throw new Error(`${name}: ${response.status}`)
      if (round > 0) found.push(longest)
    }
    stalls[name] = found
  }
  const [[name, values] = ['', []]] = Object.entries(stalls).sort(([, one], [, other]) => median(other) - median(one))
  return [
    row(
      'stalls',
      `longest stall of the event loop by a body of 1 MiB (of ${Object.keys(bodies).length} hostile ones)`,
      values,
      atMost(stallMsAtMost, 'ms'),
      `${name}; JSON.parse alone ${parseMs(bodies[name]?.text ?? '').toFixed(0)} ms`,
    ),
  ]
}

function insight(text: string) {
  return { path: '/v1/health-detail-insights/generate', text }
}

/** Joins as many parts with commas as fit into the body. */
function repeat(toPart: (index: number) => string): string {
  const parts: string[] = []
  for (let length = 200; length < bytes; length += (parts.at(-1)?.length ?? 0) + 1) parts.push(toPart(parts.length))
  return parts.slice(0, -1).join()
}

function parseMs(text: string): number {
  const times = Array.from({ length: rounds }, () => {
    const startedAt = performance.now()
    try {
      JSON.parse(text)
    } catch {
      // Too deep, or no JSON: the time until the refusal counts.
    }
    return performance.now() - startedAt
  })
  return median(times)
}
