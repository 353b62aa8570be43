import { createHash } from 'node:crypto'
import type { Route } from '../../contract/route.js'
import { type ErrorCode, SvcError } from '../../errors.js'
import type { IdempotencyStore } from '../../ports/idempotency.js'
import type { Input } from '../input/input.js'
import type { Call, Handler } from './handler.js'

/** Answers are replayed for this time. @NOTE contract: not shown; a day outlasts every sensible retry. */
const keepMs = 24 * 3_600_000
/**
 * Longer than the slowest create call (20 s in the download queue, 10 s to download; 30 s in the photo queue, 30 s to start
 * a process and read the photo; the database). The reservation of a crashed process ends sooner.
 */
const holdMs = 180_000

/**
 * Handles a request with an `Idempotency-Key` once, and replays the stored body for its retries. `handle` stores that body
 * together with what it creates. A rejected request does not use up the key. Throws `invalid_request` for a header that is
 * not a valid key and for a key that was used for another request, and `conflict` while the first request is in progress.
 */
export async function answerOnce(
  store: IdempotencyStore,
  header: string,
  route: Route,
  input: Input,
  call: Call<Route>,
  handle: Handler<Route>,
) {
  const fingerprint = fingerprintOf(route, input)
  const found = await store.beginIdempotent(requireKey(header), fingerprint, call.now, holdMs, keepMs)
  if (found.state === 'answered') return { body: found.body, isReplayed: true }
  if (found.state !== 'begun') throw new SvcError(...refusals[found.state])
  try {
    const { body } = (await handle(Object.assign(call, { reservation: found.reservation }))) as { body: unknown }
    return { body, isReplayed: false }
  } catch (error) {
    // A reservation that cannot be canceled expires; the caller needs the first error.
    await store.cancelReservation(found.reservation).catch(() => {})
    throw error
  }
}

const refusals: Readonly<Record<'other_request' | 'in_flight', [ErrorCode, string]>> = {
  other_request: [
    'invalid_request',
    'This Idempotency-Key was used for another request. Use a new key for each request.',
  ],
  in_flight: ['conflict', 'The first request with this Idempotency-Key is still in progress. Try again soon.'],
}

function requireKey(header: string): string {
  // The header is stored as it is.
  if (/svc_[0-9A-Z]{26}_[\w-]{43}/.test(header))
    throw new SvcError(
      'invalid_request',
      'The Idempotency-Key must not hold an API key. Send a random text, such as a UUID.',
    )
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header
  throw new SvcError('invalid_request', 'The Idempotency-Key must be 1 to 255 printable ASCII characters.')
}

/**
 * Hashes the meaning of a request: its route, under any of its paths, and the declared fields. A null field counts as
 * omitted, and a form equals JSON with the same fields.
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

/** Returns the members of a body that its route declares and that are not null; any body without declared members. */
export function pickDeclared({ body: schema }: Route, body: unknown): unknown {
  const { properties } = (schema ?? {}) as { properties?: Readonly<Record<string, unknown>> }
  if (properties === undefined || typeof body !== 'object' || body === null) return body ?? null
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => Object.hasOwn(properties, name) && value !== null),
  )
}

/** Serializes with sorted members. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
