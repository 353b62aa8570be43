import { H3, type H3Event } from 'h3'
import { findMissing } from '../contract/access.js'
import type { Routes } from '../contract/index.js'
import { listPaths, type Route, type RouteTable } from '../contract/route.js'
import { type ErrorCode, isSvcError, SvcError, statusByCode } from '../errors.js'
import { describeError } from '../log/error.js'
import { redactKeys } from '../log/redact.js'
import type { RequestEntry, RequestLog, RuleHit } from '../log/request-log.js'
import type { IdempotencyStore } from '../ports/idempotency.js'
import type { ApiKey } from '../ports/keys.js'
import type { Measures } from '../ports/measures.js'
import type { Store } from '../ports/store.js'
import { findTraceId, type Tracing } from '../ports/tracing.js'
import { createCallId } from '../runtime/ids.js'
import { type ObjectParts, objectsPath, serveObject } from './files/objects.js'
import { frontPage, pages, type ServedPage } from './files/page-table.js'
import { CallerGone } from './input/body-reader.js'
import type { UploadLimits } from './input/form.js'
import { isChecked, readInput } from './input/input.js'
import { InvalidBody } from './input/invalid-body.js'
import { BufferedResponse } from './node/buffered-response.js'
import { type Authenticate, createAuthenticate } from './pipeline/auth.js'
import type { Handler, Handlers } from './pipeline/handler.js'
import { answerOnce } from './pipeline/idempotency.js'
import { type CountCall, createCountCall } from './pipeline/rate-limit.js'
import { ReceivedCall } from './pipeline/received-call.js'
import { type RequestId, toRequestId } from './pipeline/request-id.js'
import { describeRetired } from './pipeline/retired.js'
import { readTraceparent } from './pipeline/traceparent.js'
import { toTimestamp } from './present/timestamp.js'

export interface ServerParts<T extends RouteTable = Routes> {
  readonly routes: T
  readonly handlers: Handlers<T>
  readonly store: Store
  /** A key that is valid only here, in addition to those of the store. */
  readonly unstoredKey?: ApiKey | undefined
  /** Required if a route is `idempotent`. */
  readonly idempotency?: IdempotencyStore
  readonly uploads: UploadLimits
  /** The base of the addresses in answers; null for the address that the caller used. */
  readonly publicUrl: string | null
  readonly log: RequestLog
  readonly measures?: Measures | undefined
  /** Absent if no SDK records spans. */
  readonly tracing?: Tracing | undefined
  /** Serves the stored files of signed addresses. */
  readonly objects?: ObjectParts | undefined
  /** True, the default, if the pages for browsers are served. */
  readonly hasPages?: boolean
  /** Epoch milliseconds. */
  readonly now: () => number
}

interface Context extends Omit<ServerParts, 'routes' | 'handlers'> {
  readonly authenticate: Authenticate
  readonly countCall: CountCall
}

/** Mounts every route of the table. Every answer comes from `answer`, including errors. */
export function createServer<T extends RouteTable>({ routes, handlers, ...parts }: ServerParts<T>): H3 {
  const context: Context = {
    ...parts,
    authenticate: createAuthenticate(parts.store, parts.unstoredKey),
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
  for (const page of parts.hasPages === false ? [] : pages) {
    for (const path of [page.path, `${page.path}/**`]) {
      for (const method of readMethods) app.on(method, path, (event) => answer(context, event, { page }))
      methodsByPath.set(path, [...readMethods])
    }
  }
  if (parts.hasPages !== false) {
    for (const method of readMethods) app.on(method, '/', (event) => answer(context, event, { location: frontPage }))
    methodsByPath.set('/', [...readMethods])
  }
  for (const [path, methods] of methodsByPath) {
    const allow = [...methods, 'OPTIONS'].join(', ')
    app.all(path, (event) => answer(context, event, { allow }))
  }
  app.all('/**', (event) => answer(context, event, {}))
  return app
}

const readMethods = ['GET', 'HEAD'] as const

/** Converts a path of the contract to the router's syntax. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** The destination of a path and a method: a route; a path with other methods (`allow`); stored files; a page; a redirect; nothing. */
interface Target {
  readonly route?: Route
  readonly handle?: Handler<Route> | undefined
  readonly allow?: string
  readonly objects?: ObjectParts | undefined
  readonly page?: ServedPage
  readonly location?: string
}

/** Returns the route of a call for a label: one of few, for any path that a caller invents. */
function describeTarget({ route, objects, page, location, allow }: Target): string {
  if (allow !== undefined) return 'other'
  if (objects !== undefined) return `${objectsPath}{key}`
  return route?.path ?? page?.path ?? (location === undefined ? 'other' : '/')
}

function toKnownMethod(method: string): string {
  return /^(GET|HEAD|POST|DELETE|OPTIONS)$/.test(method) ? method : 'other'
}

/** The state of a call in progress, from which the log entry and the headers of the answer are made. */
interface Progress {
  readonly id: RequestId
  /** The position in the caller's trace, or of our span. */
  readonly traceparent: string | undefined
  readonly headers: Record<string, string>
  /** Of a call that may create rows. */
  callId?: string
  key?: ApiKey
  violations?: readonly RuleHit[]
  warnings?: readonly RuleHit[] | undefined
  cause?: unknown
  /** True if a body or parameters were read: the message of an unexpected error may quote them. */
  hasBody?: boolean
}

interface Outcome {
  readonly status: number
  readonly body: unknown
  readonly json?: string | undefined
  /** The content of a file, in place of `body`. */
  readonly stream?: ReadableStream<Uint8Array> | undefined
}

function answer(context: Context, event: H3Event, target: Target): Promise<Response> {
  const parent = readTraceparent(event.req.headers.get('traceparent'))
  if (context.tracing === undefined) return respond(context, event, target, parent)
  const route = describeTarget(target)
  const method = toKnownMethod(event.req.method)
  const attributes = { 'http.request.method': method, 'http.route': route }
  return context.tracing.run({ name: `${method} ${route}`, kind: 'server', parent, attributes }, async (span) => {
    const response = await respond(context, event, target, span.traceparent)
    span.set('http.response.status_code', response.status)
    return response
  })
}

async function respond(
  context: Context,
  event: H3Event,
  target: Target,
  traceparent: string | undefined,
): Promise<Response> {
  const startedAt = performance.now()
  const id = toRequestId(event.req.headers.get('x-request-id'))
  const progress: Progress = { id, traceparent, headers: { 'x-request-id': id.id } }
  let outcome: Outcome
  try {
    outcome = await run(context, event, target, progress)
  } catch (error) {
    outcome = fail(error, progress)
  }
  const durationMs = performance.now() - startedAt
  context.log.write(toLogEntry(context, event, progress, outcome.status, durationMs))
  context.measures?.countCall(describeTarget(target), toKnownMethod(event.req.method), outcome.status, durationMs)
  if (outcome.stream !== undefined) {
    return new Response(outcome.stream, { status: outcome.status, headers: progress.headers })
  }
  if (outcome.body === undefined) return new BufferedResponse(outcome.status, progress.headers)
  progress.headers['content-type'] = 'application/json; charset=utf-8'
  return new BufferedResponse(outcome.status, progress.headers, outcome.json ?? JSON.stringify(outcome.body))
}

/** Checks route, key, rate, permission, retirement and body, in this order: each check costs less and reveals less than the next. */
async function run(context: Context, event: H3Event, target: Target, progress: Progress): Promise<Outcome> {
  const { route, handle, allow, objects, page, location } = target
  if (allow !== undefined) return refuseMethod(event, allow, progress)
  const now = context.now()
  if (objects !== undefined) {
    const { status, headers, stream } = await serveObject(objects, event, new Date(now))
    Object.assign(progress.headers, headers)
    return { status, body: undefined, stream }
  }
  if (page !== undefined) {
    // Few processes serve a page: this module is loaded with the first.
    const { status, headers, stream } = await (await import('./files/pages.js')).servePage(
      page,
      event,
      context.objects?.redirectsTo?.origin,
    )
    Object.assign(progress.headers, headers)
    return { status, body: undefined, stream }
  }
  if (location !== undefined) {
    progress.headers.location = location
    return { status: 302, body: undefined }
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

  const input = await readInput(event, route, context.uploads)
  progress.warnings = input.warnings
  progress.hasBody = isChecked(route) || input.body !== undefined
  if (route.method !== 'GET') progress.callId = createCallId()
  try {
    const call = new ReceivedCall({
      key: progress.key,
      input,
      requestId: progress.id.id,
      callId: progress.callId,
      traceparent: progress.traceparent,
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
  throw new SvcError('method_not_allowed', `This path accepts only ${allow}.`)
}

/** Turns every error into an answer. The caller learns nothing of an error that is not an SvcError. */
function fail(error: unknown, progress: Progress): Outcome {
  if (error instanceof CallerGone) return { status: callerGoneStatus, body: undefined }
  if (error instanceof InvalidBody) progress.violations = error.violations
  progress.cause = isSvcError(error) ? error.cause : error
  if (!isSvcError(error)) {
    if (!isShortage(error)) return envelope('internal_error', 'Something went wrong on our side.', progress)
    progress.headers['retry-after'] = String(retryAfterSeconds)
    return envelope(
      'unavailable',
      'The service is short of memory, open files or disk space. Try again later.',
      progress,
    )
  }
  if (error.code === 'unauthorized') progress.headers['www-authenticate'] = 'Bearer'
  const waitSeconds = error.retryAfterSeconds ?? (error.code === 'unavailable' ? retryAfterSeconds : undefined)
  if (waitSeconds !== undefined) progress.headers['retry-after'] = String(waitSeconds)
  return envelope(error.code, error.message, progress)
}

/** True if the system refused a resource: open files, processes, memory or disk space. */
function isShortage(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^E(MFILE|NFILE|AGAIN|NOMEM|NOSPC|DQUOT|ROFS|IO)$/.test(`${error.code}`)
  )
}

/** Outages and full queues are usually short. */
const retryAfterSeconds = 5

/** Never sent; the log shows it for calls whose caller closed the connection. */
const callerGoneStatus = 499

function envelope(code: ErrorCode, message: string, progress: Progress): Outcome {
  return { status: statusByCode[code], body: { error: { code, message, request_id: progress.id.id } } }
}

function toLogEntry(
  { now }: Context,
  event: H3Event,
  { id, traceparent, callId, key, violations, warnings, cause, hasBody }: Progress,
  status: number,
  durationMs: number,
): RequestEntry {
  // Undefined members do not appear in the log's JSON.
  return {
    time: toTimestamp(now()),
    request_id: id.id,
    caller_request_id: id.callerId,
    call_id: callId,
    trace_id: traceparent && findTraceId(traceparent),
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
