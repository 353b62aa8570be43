import type { Routes } from '../contract/index.js'
import type { Body, Params, Query, ReplyBody, Route } from '../contract/route.js'
import { type ErrorCode, SvcError, statusByCode } from '../errors.js'
import { routePaths } from '../generated/route-paths.js'
import type { Transport } from './transport.js'

/** A service and the key to call it with. */
export interface Server {
  readonly transport: Transport
  readonly key: string
}

/** The arguments of a call, as its route declares them. */
export interface CallInput<R extends Route> {
  /** The values of `{name}` in the path. */
  readonly params?: { readonly [K in keyof Params<R>]: string }
  /** Strings, as on a command line; undefined ones are omitted. */
  readonly query?: { readonly [K in keyof Query<R>]?: string | undefined }
  /** Sent as JSON, or as a form. */
  readonly body?: Partial<Body<R>> | FormData
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** A response of the service: `body` is the parsed JSON, or the text of any other response. */
export interface ServerAnswer {
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly body: unknown
}

/** An error response of the service, with its `code` and `message`. */
export class Refusal extends SvcError {
  readonly requestId: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    { requestId, retryAfterSeconds }: Pick<ServerAnswer, 'requestId' | 'retryAfterSeconds'>,
  ) {
    super(code, message, { retryAfterSeconds })
    this.requestId = requestId
  }
}

/** Posts a JSON text unchanged and returns the response of any status. Throws `unavailable` if there is no response. */
export async function postJson(server: Server, path: string, text: string): Promise<ServerAnswer> {
  return send(server, path, 'POST', text)
}

/**
 * Calls a route by its name and returns the body of its response. Throws a `Refusal` for every status but 2xx, and
 * `unavailable` if the response is not from this service.
 */
export async function call<Name extends keyof Routes>(
  server: Server,
  routeName: Name,
  { params, query = {}, body, headers }: CallInput<Routes[Name]> = {},
): Promise<ReplyBody<Routes[Name]>> {
  const { method, path: pattern } = paths[routeName]
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
    toSegment(name, (params as Readonly<Record<string, string>> | undefined)?.[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries<string | undefined>(query)) {
    if (value !== undefined) search.set(name, value)
  }
  const text = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
  const answer = await send(server, search.size === 0 ? path : `${path}?${search}`, method, text, headers)
  requireOurs(server, answer)
  if (answer.status < 200 || answer.status >= 300) throw toRefusal(answer)
  return answer.body as ReplyBody<Routes[Name]>
}

/** Made by the build, so that no command loads the schemas of the routes. The type finds a stale table. */
const paths: { readonly [Name in keyof Routes]: Pick<Routes[Name], 'method' | 'path'> } = routePaths

/** The statuses of a proxy whose service is restarting or overloaded. */
const proxyStatuses = [429, 502, 503, 504]

/** Throws `unavailable` for a response that this service never gives, such as the page of another server. */
export function requireOurs({ transport }: Server, { status, body }: ServerAnswer): void {
  if (status === 204 || proxyStatuses.includes(status) || (typeof body === 'object' && body !== null)) return
  throw new SvcError(
    'unavailable',
    `The server at ${transport.base} is not svc: it answered ${status} without a JSON object. Give the --url of an "svc serve".`,
  )
}

/** Encodes a path segment. An empty one or one of dots would lead to another path. */
function toSegment(name: string, value: string): string {
  if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value)
  throw new SvcError('invalid_request', `${name} is ${JSON.stringify(value)}; it must be an ID.`)
}

async function send(
  { transport, key }: Server,
  path: string,
  method: string,
  body?: string | FormData,
  headers: CallInput<Route>['headers'] = {},
): Promise<ServerAnswer> {
  const fields = new Headers({ authorization: `Bearer ${key}` })
  if (typeof body === 'string') fields.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) fields.set(name, value)
  const url = new URL(path.replace(/^\//, ''), transport.base)
  const received = await transport.send(
    new Request(url, { method, headers: fields, ...(body === undefined ? {} : { body }) }),
  )
  const retryAfter = Number(received.headers.get('retry-after') ?? Number.NaN)
  return {
    status: received.status,
    requestId: received.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    body: toBody(new TextDecoder().decode(received.bytes)),
  }
}

function toBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy may answer with an HTML page.
    return text
  }
}

const maxShown = 500

function toRefusal(answer: ServerAnswer): Refusal {
  const error = memberOf(answer.body, 'error')
  const [code, message] = [memberOf(error, 'code'), memberOf(error, 'message')]
  if (typeof code === 'string' && code in statusByCode && typeof message === 'string') {
    return new Refusal(code as ErrorCode, message, answer)
  }
  const found = Object.entries(statusByCode).find(([, status]) => status === answer.status)?.[0] ?? 'unavailable'
  const text =
    typeof answer.body === 'object' ? `: ${JSON.stringify(answer.body).slice(0, maxShown)}` : ', as a proxy does.'
  return new Refusal(
    found as ErrorCode,
    `The server answered ${answer.status} without an error of the contract${text}`,
    answer,
  )
}

/** Returns a member of a response that may have any type. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
