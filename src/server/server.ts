import { H3, type H3Event } from 'h3'
import { findMissing } from '../access.js'
import type { Routes } from '../contract/index.js'
import { listPaths, type Route, type RouteTable } from '../contract/route.js'
import { type ErrorCode, isSvcError, SvcError, statusByCode } from '../errors.js'
import { describeError } from '../log/error.js'
import { redactKeys } from '../log/redact.js'
import type { RequestEntry, RequestLog, RuleHit } from '../log.js'
import type { IdempotencyStore } from '../ports/tasks.js'
import type { ApiKey, Store } from '../ports.js'
import { type Authenticate, createAuthenticate } from './auth.js'
import { CallerGone, InvalidBody, readJsonText } from './body.js'
import type { Handler, Handlers } from './call.js'
import { answerOnce } from './idempotency.js'
import type { UploadLimits } from './input/form.js'
import { type Input, isChecked, readInput } from './input/input.js'
import { type ObjectParts, objectsPath, serveObject } from './objects.js'
import { type Page, pages } from './page-table.js'
import { type CountCall, createCountCall } from './rate-limit.js'
import { ReceivedCall } from './received-call.js'
import { type RequestId, toRequestId } from './request-id.js'
import { describeRetired } from './retired.js'
import { toTimestamp } from './timestamp.js'
import { WholeAnswer } from './whole-answer.js'

export interface ServerParts<T extends RouteTable = Routes> {
  readonly routes: T
  readonly handlers: Handlers<T>
  readonly store: Store
  /** Needed where a route is `idempotent`. */
  readonly idempotency?: IdempotencyStore
  readonly uploads: UploadLimits
  /** What the addresses in answers begin with; null: what the caller used. */
  readonly publicUrl: string | null
  readonly log: RequestLog
  /** The stored files that signed addresses lead to. */
  readonly objects?: ObjectParts
  /** Epoch milliseconds. */
  readonly now: () => number
}

interface Context extends Omit<ServerParts, 'routes' | 'handlers'> {
  readonly authenticate: Authenticate
  readonly countCall: CountCall
}

/** Mounts every route of the table. All answers come from `answer`, errors of every kind included. */
export function createServer<T extends RouteTable>({ routes, handlers, ...parts }: ServerParts<T>): H3 {
  const context: Context = {
    ...parts,
    authenticate: createAuthenticate(parts.store),
    countCall: createCountCall(parts.store),
  }
  // A path with a broken escape is an unknown path.
  const app = new H3({ silent: true, allowMalformedURL: true })
  const methodsByPath = new Map<string, string[]>()
  for (const [name, route] of Object.entries<Route>(routes)) {
    const handle = (handlers as Readonly<Record<string, Handler<Route>>>)[name]
    const methods = route.method === 'GET' ? readMethods : [route.method]
    for (const path of listPaths(route).map(toPattern)) {
      for (const method of methods) app.on(method, path, (event) => answer(context, event, { route, handle }))
      methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods])
    }
  }
  if (context.objects !== undefined) {
    for (const method of readMethods) {
      app.on(method, `${objectsPath}**`, (event) => answer(context, event, { objects: context.objects }))
    }
    methodsByPath.set(`${objectsPath}**`, [...readMethods])
  }
  for (const page of pages) {
    for (const path of [page.path, `${page.path}/**`]) {
      for (const method of readMethods) app.on(method, path, (event) => answer(context, event, { page }))
      methodsByPath.set(path, [...readMethods])
    }
  }
  for (const [path, methods] of methodsByPath) {
    const allow = [...methods, 'OPTIONS'].join(', ')
    app.all(path, (event) => answer(context, event, { allow }))
  }
  app.all('/**', (event) => answer(context, event, {}))
  return app
}

const readMethods = ['GET', 'HEAD'] as const

/** A path of the contract as the router writes it. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** What a path and a method lead to: a route; a path of other methods (`allow`); stored files; a page; nothing. */
interface Target {
  readonly route?: Route
  readonly handle?: Handler<Route> | undefined
  readonly allow?: string
  readonly objects?: ObjectParts | undefined
  readonly page?: Page
}

/** What is known of a call so far; the log and the headers of the answer are made from it. */
interface Progress {
  readonly id: RequestId
  readonly headers: Record<string, string>
  key?: ApiKey
  violations?: readonly RuleHit[]
  warnings?: readonly RuleHit[] | undefined
  cause?: unknown
  /** Whether anything else came in: from then on the message of an unexpected error may quote it. */
  hasBody?: boolean
}

interface Outcome {
  readonly status: number
  readonly body: unknown
  readonly json?: string | undefined
  /** A file, instead of a body. */
  readonly stream?: ReadableStream<Uint8Array> | undefined
}

async function answer(context: Context, event: H3Event, target: Target): Promise<Response> {
  const startedAt = performance.now()
  const id = toRequestId(event.req.headers.get('x-request-id'))
  const progress: Progress = { id, headers: { 'x-request-id': id.id } }
  let outcome: Outcome
  try {
    outcome = await run(context, event, target, progress)
  } catch (error) {
    outcome = fail(error, progress)
  }
  context.log.write(toLogEntry(context, event, progress, outcome.status, performance.now() - startedAt))
  if (outcome.stream !== undefined) {
    return new Response(outcome.stream, { status: outcome.status, headers: progress.headers })
  }
  if (outcome.body === undefined) return new WholeAnswer(outcome.status, progress.headers)
  progress.headers['content-type'] = 'application/json; charset=utf-8'
  return new WholeAnswer(outcome.status, progress.headers, outcome.json ?? JSON.stringify(outcome.body))
}

/** The order of checks: route, key, rate, permission, whether it is retired, body. Each is cheaper than the next, and tells less. */
async function run(context: Context, event: H3Event, target: Target, progress: Progress): Promise<Outcome> {
  const { route, handle, allow, objects, page } = target
  if (allow !== undefined) return refuseMethod(event, allow, progress)
  const now = context.now()
  if (objects !== undefined) {
    const { status, headers, stream } = await serveObject(objects, event, new Date(now))
    Object.assign(progress.headers, headers)
    return { status, body: undefined, stream }
  }
  if (page !== undefined) {
    // Few starts serve any page: this part is loaded with the first.
    const { status, headers, stream } = await (await import('./pages.js')).servePage(page, event)
    Object.assign(progress.headers, headers)
    return { status, body: undefined, stream }
  }
  if (route === undefined) throw new SvcError('not_found', 'There is nothing at this path.')

  if (route.access !== 'public') {
    const key = await context.authenticate(event.req.headers.get('authorization'), now)
    progress.key = key

    const { headers, refusal } = await context.countCall(key, now)
    Object.assign(progress.headers, headers)
    if (refusal !== undefined) {
      progress.headers['retry-after'] = refusal.retryAfter
      throw refusal.error
    }

    const missing = findMissing(key, route.access)
    if (missing.length > 0) {
      throw new SvcError('forbidden', `The API key may not use this endpoint: it lacks ${missing.join(', ')}.`)
    }
  }

  if (route.retired !== undefined) {
    const { headers, error } = describeRetired(route.retired)
    Object.assign(progress.headers, headers)
    throw error
  }
  if (handle === undefined) throw new Error(`${route.path} has no handler.`)

  const input: Input = isChecked(route)
    ? await readInput(event, route, context.uploads)
    : { body: route.body === undefined ? undefined : await readJsonText(event.req) }
  progress.warnings = input.warnings
  progress.hasBody = isChecked(route) || input.body !== undefined
  try {
    const call = new ReceivedCall({
      key: progress.key,
      input,
      requestId: progress.id.id,
      now: new Date(now),
      event,
      publicUrl: context.publicUrl,
      warn: (warnings) => {
        progress.warnings = warnings
      },
    })
    const header = route.idempotent === true ? event.req.headers.get('idempotency-key') : null
    if (header === null || context.idempotency === undefined) return toOutcome(await handle(call))
    const { body, isReplayed } = await answerOnce(context.idempotency, header, route, input, call, handle)
    if (isReplayed) progress.headers['idempotent-replayed'] = 'true'
    return { status: 200, body }
  } finally {
    input.release?.()
  }
}

function toOutcome(reply: { status?: number; body?: unknown; json?: string }): Outcome {
  return { status: reply.status ?? 200, body: reply.body, json: reply.json }
}

function refuseMethod(event: H3Event, allow: string, progress: Progress): Outcome {
  progress.headers.allow = allow
  if (event.req.method === 'OPTIONS') return { status: 204, body: undefined }
  throw new SvcError('method_not_allowed', `This path takes ${allow}.`)
}

/** The one place where an error becomes an answer. What is not a SvcError says nothing of itself to the caller. */
function fail(error: unknown, progress: Progress): Outcome {
  if (error instanceof CallerGone) return { status: callerGoneStatus, body: undefined }
  if (error instanceof InvalidBody) progress.violations = error.violations
  progress.cause = isSvcError(error) ? error.cause : error
  if (!isSvcError(error)) return envelope('internal_error', 'Something went wrong on our side.', progress)
  if (error.code === 'unauthorized') progress.headers['www-authenticate'] = 'Bearer'
  const waitSeconds = error.retryAfterSeconds ?? (error.code === 'unavailable' ? retryAfterSeconds : undefined)
  if (waitSeconds !== undefined) progress.headers['retry-after'] = String(waitSeconds)
  return envelope(error.code, error.message, progress)
}

/** What is out of order or full is seldom so for long. */
const retryAfterSeconds = 5

/** Nobody receives this; the log shows it for calls that the caller gave up. */
const callerGoneStatus = 499

function envelope(code: ErrorCode, message: string, progress: Progress): Outcome {
  return { status: statusByCode[code], body: { error: { code, message, request_id: progress.id.id } } }
}

function toLogEntry(
  { now }: Context,
  event: H3Event,
  { id, key, violations, warnings, cause, hasBody }: Progress,
  status: number,
  durationMs: number,
): RequestEntry {
  // Members that are undefined do not reach the log's JSON.
  return {
    time: toTimestamp(now()),
    request_id: id.id,
    caller_request_id: id.callerId,
    method: event.req.method,
    path: redactKeys(event.url.pathname),
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    key_id: key?.id,
    key_name: key?.name,
    violations,
    warnings: warnings?.length === 0 ? undefined : warnings,
    error: cause === undefined ? undefined : describeError(cause, hasBody !== true),
  }
}
