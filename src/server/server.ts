import { H3, type H3Event } from 'h3'
import { findMissing } from '../contract/access.js'
import type { Routes } from '../contract/index.js'
import { listPaths, type Route, type RouteTable } from '../contract/route.js'
import { SvcError } from '../errors.js'
import { describeError, redactKeys } from '../log/redact.js'
import type { RequestEntry, RequestLog, RuleHit, SeenCall } from '../log/request-log.js'
import type { CallFaults, FaultCall, FaultInput } from '../ports/faults.js'
import type { IdempotencyStore } from '../ports/idempotency.js'
import type { ApiKey } from '../ports/keys.js'
import type { Measures, Store } from '../ports/store.js'
import { findTraceId, type Tracing } from '../ports/tracing.js'
import { createCallId } from '../runtime/ids.js'
import { toTimestamp } from '../text/time.js'
import { type ObjectParts, objectsPath, serveObject } from './files/objects.js'
import { frontPage, guideIndex, pages, type ServedPage } from './files/page-table.js'
import { answerFile, type FileAnswer, type StaticFile } from './files/static-file.js'
import type { UploadLimits } from './input/form.js'
import { type Input, isChecked, readInput } from './input/input.js'
import { BufferedResponse } from './node/buffered-response.js'
import { countHeader } from './node/request-head.js'
import { type Authenticate, createAuthenticate, describeRetired } from './pipeline/auth.js'
import { fail } from './pipeline/failure.js'
import type { Call, Handler, Handlers } from './pipeline/handler.js'
import { answerOnce, fingerprintOf } from './pipeline/idempotency.js'
import { meetFault } from './pipeline/meet-fault.js'
import { requirePets } from './pipeline/pet-limit.js'
import type { Outcome, Progress } from './pipeline/progress.js'
import { type CountCall, createCountCall } from './pipeline/rate-limit.js'
import { findOrigin, readTraceparent, toRequestId } from './pipeline/request-id.js'

export interface ServerParts<T extends RouteTable = Routes> {
  readonly routes: T
  readonly handlers: Handlers<T>
  readonly store: Store
  /** A key that is valid only here, in addition to those of the store. */
  readonly unstoredKey?: ApiKey | undefined
  /** Required if a route is `idempotent`. */
  readonly idempotency?: IdempotencyStore
  readonly uploads: UploadLimits
  /** The base of the addresses in responses; null for the address that the caller used. */
  readonly publicUrl: string | null
  readonly log: RequestLog
  readonly measures?: Measures | undefined
  /** Absent if no SDK records spans. */
  readonly tracing?: Tracing | undefined
  /** Sees each call; absent unless the client is judged. */
  readonly onSeen?: ((call: SeenCall) => void) | undefined
  /** Absent in production. */
  readonly faults?: CallFaults | undefined
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

/** Mounts every route of the table. Every response comes from `answer`, including errors. */
export function createServer<T extends RouteTable>({ routes, handlers, ...parts }: ServerParts<T>): H3 {
  const context: Context = {
    ...parts,
    authenticate: createAuthenticate(parts.store, parts.unstoredKey),
    countCall: createCountCall(parts.store),
  }
  // A path with a broken escape is an unknown path.
  const app = new H3({ silent: true, allowMalformedURL: true })
  const methodsByPath = new Map<string, string[]>()
  const mount = (path: string, target: Target, methods: readonly (Route['method'] | 'HEAD')[] = ['GET', 'HEAD']) => {
    for (const method of methods) app.on(method, path, (event) => answer(context, event, target))
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods])
  }
  for (const [name, route] of Object.entries<Route>(routes)) {
    const handle = (handlers as Readonly<Record<string, Handler<Route>>>)[name]
    const methods = route.method === 'GET' ? undefined : [route.method]
    for (const path of listPaths(route)) mount(toPattern(path), { route, handle }, methods)
  }
  const { objects } = context
  if (objects !== undefined) mount(`${objectsPath}**`, { objects })
  if (parts.hasPages !== false) {
    for (const page of [...pages, guideIndex]) {
      mount(page.path, { page })
      mount(`${page.path}/**`, { page })
    }
    mount('/', { location: frontPage })
  }
  for (const [path, methods] of methodsByPath) {
    const allow = [...methods, 'OPTIONS'].join(', ')
    app.all(path, (event) => answer(context, event, { allow }))
  }
  app.all('/**', (event) => answer(context, event, {}))
  return app
}

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

/** A reply of any handler. */
interface HandlerReply {
  readonly status?: number
  readonly body?: unknown
  readonly json?: string
  readonly file?: StaticFile
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
    const finding = context.faults?.findForAnswer(outcome.body)
    const fault = finding && (await finding)
    if (fault !== undefined)
      outcome = await meetFault(fault, { ...context, event, progress, answer: async () => outcome })
  } catch (error) {
    outcome = fail(error, progress)
  }
  const durationMs = performance.now() - startedAt
  const entry = toLogEntry(context, event, progress, outcome.status, durationMs)
  context.log.write(entry)
  context.onSeen?.({
    ...{ entry, startedAt, endedAt: startedAt + durationMs, target: describeTarget(target), body: outcome.body },
    ...{ search: event.url.search, sent: event.req.headers, headers: progress.headers },
    fingerprint: progress.fingerprint,
    isBroken: outcome.delivery !== undefined || (progress.fault !== undefined && outcome.json !== undefined),
  })
  context.measures?.countCall(describeTarget(target), toKnownMethod(event.req.method), outcome.status, durationMs)
  if (outcome.delivery !== undefined) {
    const { breakAnswer } = await import('./node/broken-response.js')
    return breakAnswer(outcome, progress.headers, outcome.delivery)
  }
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
    const serve = async () => sendFile(await serveObject(objects, event, new Date(now)), progress)
    const finding = findFault(context, event, target, progress, {})
    const fault = finding && (await finding)
    return fault === undefined ? serve() : meetFault(fault, { ...context, event, progress, answer: serve })
  }
  if (page !== undefined) {
    // Few processes serve a page: this module is loaded with the first.
    const { servePage } = await import('./files/pages.js')
    return sendFile(await servePage(page, event, context.objects?.redirectsTo?.origin), progress)
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
  if (context.onSeen !== undefined && route.idempotent) progress.fingerprint = fingerprintOf(route, input)
  try {
    const pets = progress.key?.pets ?? null
    if (pets !== null) await requirePets(pets, route, input, context.store)
    const call: Call<Route> = {
      // The handler's type says which of these its route has; the checks guarantee it.
      key: progress.key as ApiKey,
      callId: progress.callId as string,
      params: input.params as never,
      query: input.query as never,
      body: input.body,
      files: input.files ?? {},
      reservation: undefined,
      requestId: progress.id.id,
      traceparent: progress.traceparent,
      now: new Date(now),
      findBaseUrl: () => context.publicUrl ?? findOrigin(event.url.href),
      warn: (warnings) => addWarnings(progress, warnings),
    }
    const answerWith = (work: typeof handle) => answerCall(context, event, route, input, call, work, progress)
    const finding = findFault(context, event, target, progress, input)
    const fault = finding && (await finding)
    if (fault === undefined) return await answerWith(handle)
    const answer = (hold = async () => {}) => answerWith((held) => hold().then(() => handle(held)))
    return await meetFault(fault, { ...context, event, progress, answer })
  } finally {
    input.release?.()
  }
}

async function answerCall(
  { idempotency }: Context,
  event: H3Event,
  route: Route,
  input: Input,
  call: Call<Route>,
  handle: Handler<Route>,
  progress: Progress,
): Promise<Outcome> {
  const header = route.idempotent === true ? event.req.headers.get('idempotency-key') : null
  if (header === null || idempotency === undefined) return toOutcome(await handle(call), event, progress)
  if (countHeader(event.runtime?.node?.req.rawHeaders ?? [], 'idempotency-key') > 1) {
    throw new SvcError('invalid_request', 'The header Idempotency-Key was sent more than once. Send one.')
  }
  const { body, isReplayed } = await answerOnce(idempotency, header, route, input, call, handle)
  if (isReplayed) progress.headers['idempotent-replayed'] = 'true'
  return { status: 200, body }
}

function toOutcome({ status = 200, body, json, file }: HandlerReply, event: H3Event, progress: Progress): Outcome {
  return file === undefined ? { status, body, json } : sendFile(answerFile(file, event.req), progress)
}

function sendFile({ status, headers, stream }: FileAnswer, progress: Progress): Outcome {
  Object.assign(progress.headers, headers)
  return { status, body: undefined, stream }
}

function addWarnings(progress: Progress, warnings: readonly RuleHit[]): void {
  progress.warnings = [...(progress.warnings ?? []), ...warnings]
}

/** Finds the fault of a call. Calls of `/_svc` never have one: they manage the rules. */
function findFault({ faults }: Context, event: H3Event, target: Target, progress: Progress, input: FaultInput) {
  if (faults === undefined || !faults.mayApply(input)) return undefined
  const path = describeTarget(target)
  if (path.startsWith('/_svc/')) return undefined
  const method = event.req.method === 'HEAD' ? 'GET' : event.req.method
  const access = target.route?.access
  const aliases = typeof access === 'object' ? (access.models ?? []) : []
  const warn: FaultCall['warn'] = (warning) => addWarnings(progress, [warning])
  return faults.findForCall({ route: `${method} ${path}`, key: progress.key, aliases, input, warn })
}

function refuseMethod(event: H3Event, allow: string, progress: Progress): Outcome {
  progress.headers.allow = allow
  if (event.req.method === 'OPTIONS') return { status: 204, body: undefined }
  throw new SvcError('method_not_allowed', `This path accepts only ${allow}.`)
}

function toLogEntry(
  { now }: Context,
  event: H3Event,
  { id, traceparent, callId, key, violations, warnings, cause, fault, hasBody }: Progress,
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
    fault,
    error: cause === undefined ? undefined : describeError(cause, hasBody !== true),
  }
}
