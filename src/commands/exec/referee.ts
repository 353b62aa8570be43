import { writeFileSync } from 'node:fs'
import type { TemporaryService } from '../../app/temporary/temporary-service.js'
import { call, memberOf } from '../../client/client.js'
import { createLocalTransport } from '../../client/transport.js'
import { isSvcError } from '../../errors.js'
import { isOwnCall } from '../../log/call-source.js'
import type { SeenCall } from '../../log/request-log.js'
import { quote } from '../../text/spelling.js'
import { count, toJsonText, toPrintable } from '../../text/words.js'

/** A call that shows a mistake, and how. */
interface Proof {
  readonly exchange: SeenCall
  readonly detail: string
}

/** Timers of clients may end a little early. */
const toleranceSeconds = 0.05

/** The rules that a client may break, each with what it does then. */
const rules: Readonly<Record<string, readonly [sentence: string, find: (seen: readonly SeenCall[]) => Proof[]]>> = {
  'polled-early': [
    'It queried a task again before poll_after_seconds had passed.',
    (seen) =>
      findRepeated(seen, ({ gap, waitSeconds }) =>
        waitSeconds !== null && gap < waitSeconds - toleranceSeconds
          ? `${gap.toFixed(2)} s after the last response, which said ${waitSeconds} s`
          : undefined,
      ),
  ],
  'polled-after-end': [
    'It went on querying a task after poll_after_seconds was null or absent.',
    (seen) =>
      findRepeated(seen, ({ last, next, gap, waitSeconds, interval }) =>
        waitSeconds === null && gap < 2 * interval && !seen.some((one) => isBetween(last, one, next) && isRefused(one))
          ? `${gap.toFixed(2)} s after the task had ended`
          : undefined,
      ),
  ],
  'ignored-retry-after': [
    'It repeated a call before the time in Retry-After had passed.',
    (seen) =>
      seen.flatMap((refused, place) => {
        const seconds = Number(refused.headers['retry-after'] ?? 0)
        const next = seen.slice(place + 1).find((one) => isRepetition(refused, one))
        const gap = next === undefined ? seconds : secondsBetween(refused, next)
        if (next === undefined || gap >= seconds - toleranceSeconds) return []
        const { request_id, status } = refused.entry
        return {
          exchange: next,
          detail: `${gap.toFixed(2)} s after the ${status} of ${request_id}, which said ${seconds} s`,
        }
      }),
  ],
  'created-twice': [
    'It created the same twice, without an Idempotency-Key.',
    (seen) => {
      const created = seen.filter(({ entry, sent, fingerprint }) => {
        return fingerprint !== undefined && entry.status === 200 && !sent.has('idempotency-key')
      })
      return created.flatMap((exchange, place) => {
        const first = created.slice(0, place).find(({ fingerprint }) => fingerprint === exchange.fingerprint)
        return first === undefined ? [] : { exchange, detail: `the same request as ${first.entry.request_id}` }
      })
    },
  ],
  'used-expired-address': [
    'It used an address that had expired, and did not query the task for a new one.',
    (seen) =>
      seen.flatMap((exchange, place) => {
        if (!isRefused(exchange)) return []
        const { path } = exchange.entry
        const isQuery = (one: SeenCall) => readRecords(one).length > 0
        const next = seen.slice(place + 1).find((one) => one.entry.path === path || isQuery(one))
        // A client that has queried once, and got another address that had expired, may give up.
        const first = seen.findIndex((one) => one.entry.path === path && isRefused(one))
        if (seen.slice(first, place).some(isQuery) || (next !== undefined && !isRefused(next))) return []
        return { exchange, detail: next === undefined ? 'no query followed' : `again in ${next.entry.request_id}` }
      }),
  ],
}

type GoalState = readonly [sentence: string, fault: string, isMet: (one: SeenCall) => boolean]

/** The states and errors that a client should have met, each with the rule that makes it happen. */
const states: Readonly<Record<string, GoalState>> = {
  partial_success: ['a task whose pictures failed in part', 'code=provider_error,every=2', isTask('partial_success')],
  failed: ['a task that failed', 'code=provider_error', isTask('failed')],
  lost_response: [
    'a response that was lost after the work was done',
    'route=POST /v1/*,drop=after,times=1',
    ({ entry, isBroken }) => isBroken && entry.method === 'POST' && entry.status === 200,
  ],
  malformed_response: [
    'a response that is not JSON',
    'route=GET /v1/*,body=malformed,times=1',
    ({ entry, isBroken }) => isBroken && entry.method === 'GET',
  ],
  expired_address: ['an address that has expired', 'route=GET /v1/*,address=expired', isRefused],
  ...Object.fromEntries(
    [429, 500, 502, 503].map((status): [string, GoalState] => [
      `status_${status}`,
      [`a response ${status}`, `route=/v1/*,status=${status},times=1`, ({ entry }) => entry.status === status],
    ]),
  ),
}

/** Returns a check that a response has a task in this state. */
function isTask(state: string) {
  return (one: SeenCall) => readRecords(one).some(({ status }) => status === state)
}

/** Sees the calls of a client, and reports on them. */
export function createReferee() {
  const all: SeenCall[] = []
  return {
    see: (exchange: SeenCall) => {
      if (!isOwnCall(exchange.entry)) all.push(exchange)
    },
    /** Prints the report, or writes it to a file as JSON. Returns the number of rules that the client broke. */
    async report(service: TemporaryService, program: readonly string[], file: string | undefined): Promise<number> {
      const seen = [...all]
      const found = Object.entries(rules).map(([rule, [sentence, find]]) => ({ rule, sentence, proofs: find(seen) }))
      const sentence = 'It never read that pictures of a task had failed.'
      const unread = { rule: 'failure-not-read', sentence, proofs: await findUnread(service, seen) }
      const wrong = [...found, unread].filter(({ proofs }) => proofs.length > 0)
      const notMet = Object.entries(states).flatMap(([state, [sentence, fault, isMet]]) => {
        const command = ['svc exec --report --fault', quote(fault), '--', ...program.map(quote)].join(' ')
        return seen.some(isMet) ? [] : [{ state, sentence, fault, command }]
      })
      const mistakes = wrong.map(({ proofs, ...rest }) => ({ ...rest, calls: proofs.map(presentProof) }))
      if (file === undefined) process.stderr.write(render(seen.length, mistakes, notMet))
      else {
        const document = { version: 1, calls: seen.length, wrong: mistakes, not_met: notMet }
        writeFileSync(file, `${toJsonText(document)}\n`)
      }
      return wrong.length
    },
  }
}

function presentProof({ exchange: { entry }, detail }: Proof) {
  const { time, request_id, method, path, status } = entry
  return { time, request_id, method, path, status, detail }
}

function render(
  calls: number,
  wrong: readonly { readonly sentence: string; readonly calls: readonly ReturnType<typeof presentProof>[] }[],
  notMet: readonly { readonly sentence: string; readonly command: string }[],
): string {
  const mistakes = wrong.flatMap(({ sentence, calls: proofs }) => [
    `  ${sentence}`,
    ...proofs.map(
      ({ time, request_id, method, path, status, detail }) =>
        `    ${time.slice(11, 23)}  ${status}  ${method} ${path}  ${request_id}: ${detail}`,
    ),
  ])
  const missing = notMet.flatMap(({ sentence, command }) => [`  ${sentence}:`, `    ${command}`])
  return [
    '',
    `svc exec: the client made ${count(calls, 'call')}.`,
    wrong.length === 0 ? 'It did nothing wrong.' : 'It did something wrong:',
    ...mistakes,
    ...(missing.length === 0 ? [] : ['It has never met the following; each command makes it happen:', ...missing]),
    '',
  ]
    .map((line) => `${toPrintable(line)}\n`)
    .join('')
}

/** Returns the longer of the real time between two calls and that of the service, whose clock a test may move. */
function secondsBetween({ endedAt, entry: one }: SeenCall, { startedAt, entry: other }: SeenCall): number {
  const served = Date.parse(other.time) - other.duration_ms - Date.parse(one.time)
  return Math.max(startedAt - endedAt, served) / 1000
}

const isBetween = (first: SeenCall, one: SeenCall, last: SeenCall) =>
  one.endedAt >= first.endedAt && one.endedAt < last.endedAt

/** True for a file that was asked for by an expired address. */
function isRefused({ target, search, entry }: SeenCall): boolean {
  const expiresMs = Number(new URLSearchParams(search).get('expires')) * 1000
  return target === '/objects/{key}' && entry.status === 403 && expiresMs <= Date.parse(entry.time)
}

/** A 429 refuses the key: it is repeated by the next call of the route. Others are repeated by the same request. */
function isRepetition({ entry: one, fingerprint, endedAt }: SeenCall, next: SeenCall): boolean {
  const isSame = one.status === 429 || fingerprint === undefined || fingerprint === next.fingerprint
  return isSame && next.startedAt >= endedAt && next.entry.method === one.method && next.entry.path === one.path
}

interface RepeatedQuery {
  readonly last: SeenCall
  readonly next: SeenCall
  readonly gap: number
  /** The seconds to wait after the last response; null if the task had ended. */
  readonly waitSeconds: number | null
  /** The last known interval. */
  readonly interval: number
}

/** Finds queries of a task that follow another too soon. A single one counts for nothing: a client may have started again. */
function findRepeated(seen: readonly SeenCall[], judge: (query: RepeatedQuery) => string | undefined): Proof[] {
  const paths = new Set(seen.flatMap(({ target, entry }) => (target.endsWith('/tasks/{task_id}') ? [entry.path] : [])))
  return [...paths].flatMap((path) => {
    const calls = seen.filter(({ entry }) => entry.path === path)
    let interval = 3
    const proofs = calls.slice(1).flatMap((next, place) => {
      const last = calls[place]
      if (last === undefined || last.isBroken || last.entry.method !== 'GET' || last.entry.status !== 200) return []
      const said = memberOf(last.body, 'poll_after_seconds')
      if (typeof said === 'number') interval = said
      const waitSeconds = typeof said === 'number' ? said : null
      const detail = judge({ last, next, gap: secondsBetween(last, next), waitSeconds, interval })
      return detail === undefined ? [] : { exchange: next, detail }
    })
    return proofs.length < 2 ? [] : proofs
  })
}

/** Returns the tasks of a response that the client could read. */
function readRecords({ entry, body, isBroken }: SeenCall): readonly { task_id?: unknown; status?: unknown }[] {
  if (entry.method !== 'GET' || entry.status !== 200 || isBroken || typeof body !== 'object' || body === null) return []
  const { items = [] } = body as { readonly items?: readonly object[] }
  return [body, ...items].filter((record) => ['task_id', 'identity_asset_id'].some((id) => id in record))
}

/** Finds the calls whose tasks have failed in part, while no response said so. */
async function findUnread({ app, url, key }: TemporaryService, seen: readonly SeenCall[]): Promise<Proof[]> {
  const server = { transport: createLocalTransport(app.fetch, `${url}/`), key }
  const known = new Set(
    seen
      .flatMap(readRecords)
      .flatMap(({ task_id, status }) => (/success|failed/.test(String(status)) ? [task_id] : [])),
  )
  const unread = seen.filter(
    ({ fingerprint, body }) => fingerprint !== undefined && !known.has(memberOf(body, 'task_id')),
  )
  const proofs = unread.map(async (exchange): Promise<Proof[]> => {
    try {
      const { task } = await call(server, 'getRequest', { params: { request_id: exchange.entry.request_id } })
      return /partial|failed/.test(task?.status ?? '')
        ? [{ exchange, detail: `its task ended in ${task?.status}` }]
        : []
    } catch (error) {
      // The log goes to standard output.
      if (isSvcError(error)) return []
      throw error
    }
  })
  return (await Promise.all(proofs)).flat()
}
