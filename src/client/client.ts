import type { Body, Params, Query, ReplyBody, Route } from '../contract/route.js'
import { type ErrorCode, SvcError, statusByCode } from '../errors.js'
import type { Transport } from './transport.js'

/** Where the service is and who asks. */
export interface Server {
  readonly transport: Transport
  readonly key: string
}

/** A call of a route: its method and path as the contract declares them, and what it takes. */
export interface Call<R extends Route = Route> {
  readonly method: R['method']
  readonly path: R['path']
  /** What stands in the path for `{name}`. */
  readonly params?: { readonly [K in keyof Params<R>]: string }
  /** Texts, as a command line has them; what is undefined is left out. */
  readonly query?: { readonly [K in keyof Query<R>]?: string | undefined }
  /** Sent as JSON, or as a form. */
  readonly body?: Partial<Body<R>> | FormData
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** What the service answered: `body` is parsed JSON, or the text of an answer that is none. */
export interface Answer {
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly body: unknown
}

/** The service said no. `code` and `message` are its own. */
export class Refusal extends SvcError {
  readonly requestId: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    { requestId, retryAfterSeconds }: Pick<Answer, 'requestId' | 'retryAfterSeconds'>,
  ) {
    super(code, message, { retryAfterSeconds })
    this.requestId = requestId
  }
}

/** Posts a JSON text as it is and gives the answer, whatever its status. Throws `unavailable` when nobody answers. */
export async function postJson(server: Server, path: string, text: string): Promise<Answer> {
  return send(server, path, { method: 'POST', body: text })
}

/**
 * Calls a route and gives the body of its answer. Only the route's type is named, so that no command loads the schemas
 * behind it. Throws a `Refusal` for every status but 2xx, and `unavailable` where it is not this service that answers.
 */
export async function call<R extends Route>(server: Server, request: Call<R>): Promise<ReplyBody<R>> {
  const { method, params = {}, query = {}, body, headers } = request
  const path = request.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    toSegment(name, (params as Record<string, string>)[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries<string | undefined>(query)) {
    if (value !== undefined) search.set(name, value)
  }
  const text = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
  const answer = await send(server, search.size === 0 ? path : `${path}?${search}`, { method, body: text, headers })
  requireOurs(server, answer)
  if (answer.status < 200 || answer.status >= 300) throw toRefusal(answer)
  return answer.body as ReplyBody<R>
}

/** What a proxy answers for a service that is away for a moment, or with too many calls. */
const proxyStatuses = [429, 502, 503, 504]

/** Throws `unavailable` for what this service never answers, such as the page of another one. */
export function requireOurs({ transport }: Server, { status, body }: Answer): void {
  if (status === 204 || proxyStatuses.includes(status) || (typeof body === 'object' && body !== null)) return
  throw new SvcError(
    'unavailable',
    `What answers at ${transport.base} is not svc: it gave ${status}, and no JSON object. Give the --url of an "svc serve".`,
  )
}

/** A part of a path; one that is empty or made of dots would lead to another path. */
function toSegment(name: string, value: string): string {
  if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value)
  throw new SvcError('invalid_request', `${name} is ${JSON.stringify(value)}; it must be an ID.`)
}

interface Sent {
  readonly method: string
  readonly body?: string | FormData | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

async function send({ transport, key }: Server, path: string, { method, body, headers = {} }: Sent): Promise<Answer> {
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
    // A proxy in between may answer with a page.
    return text
  }
}

const maxShown = 500

function toRefusal(answer: Answer): Refusal {
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

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
