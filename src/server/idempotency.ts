import { createHash } from 'node:crypto'
import type { Route } from '../contract/route.js'
import { type ErrorCode, SvcError } from '../errors.js'
import type { IdempotencyStore } from '../ports/tasks.js'
import type { Handler } from './call.js'
import type { Input } from './input/input.js'
import type { ReceivedCall } from './received-call.js'

/** How long an answer is repeated. @NOTE contract: not shown; a day outlasts every sensible retry. */
const keepMs = 24 * 3_600_000
/**
 * Longer than a create call takes at worst (20 s until a download's turn, 10 s for it; 30 s until the photo's turn, 30 s to
 * start a process and read it; the database). The reservation of a process that crashed ends sooner.
 */
const holdMs = 180_000

export interface OnceAnswer {
  readonly body: unknown
  readonly isReplayed: boolean
}

/**
 * Answers a request under its `Idempotency-Key` once: from then on it gets the body that `handle` had kept with what it
 * created. A request that is refused does not count. Throws `invalid_request` for a header that is no key and for a key of
 * another request, and `conflict` while the first is being worked on.
 */
export async function answerOnce(
  store: IdempotencyStore,
  header: string,
  route: Route,
  input: Input,
  call: ReceivedCall,
  handle: Handler<Route>,
): Promise<OnceAnswer> {
  const fingerprint = fingerprintOf(route, input)
  const found = await store.beginIdempotent(requireKey(header), fingerprint, call.now, holdMs, keepMs)
  if (found.state === 'answered') return { body: found.body, isReplayed: true }
  if (found.state !== 'begun') throw new SvcError(...refusals[found.state])
  try {
    const { body } = (await handle(Object.assign(call, { reservation: found.reservation }))) as { body: unknown }
    return { body, isReplayed: false }
  } catch (error) {
    // A reservation that cannot be taken back ends by itself; the error that led here is what counts.
    await store.cancelReservation(found.reservation).catch(() => {})
    throw error
  }
}

const refusals: Readonly<Record<'other_request' | 'in_flight', [ErrorCode, string]>> = {
  other_request: ['invalid_request', 'This Idempotency-Key was used for another request. Use a new one for each.'],
  in_flight: ['conflict', 'The first request with this Idempotency-Key is not answered yet. Try again soon.'],
}

function requireKey(header: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header
  throw new SvcError('invalid_request', 'The Idempotency-Key must be 1 to 255 printable ASCII characters.')
}

/**
 * A hash of what a request asks for: the route, under whichever of its paths, and the declared fields. A field that is null
 * counts as left out, and a form equals the JSON of the same fields.
 */
export function fingerprintOf(route: Route, { params, query, body, files = {} }: Input): string {
  const hash = createHash('sha256')
  hash.update(toCanonicalJson([route.method, route.path, params ?? {}, query ?? {}, pickDeclared(route, body)]))
  for (const name of Object.keys(files).sort()) {
    const bytes = files[name] ?? Buffer.alloc(0)
    hash.update(`\n${name} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('base64url')
}

function pickDeclared({ body: schema }: Route, body: unknown): unknown {
  const { properties } = (schema ?? {}) as { properties?: Readonly<Record<string, unknown>> }
  if (properties === undefined || typeof body !== 'object' || body === null) return body ?? null
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => Object.hasOwn(properties, name) && value !== null),
  )
}

/** JSON in which the order of members does not show. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
