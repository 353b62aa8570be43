import type { H3Event } from 'h3'
import type { Route } from '../../contract/route.js'
import type { RuleHit } from '../../log/request-log.js'
import type { Reservation } from '../../ports/idempotency.js'
import type { ApiKey } from '../../ports/keys.js'
import type { Input } from '../input/input.js'
import type { Call } from './handler.js'

/** The facts of a call after all checks. */
export interface CallParts {
  readonly key: ApiKey | undefined
  readonly input: Input
  readonly requestId: string
  readonly callId: string | undefined
  readonly traceparent: string | undefined
  readonly now: Date
  readonly event: H3Event
  readonly publicUrl: string | null
  readonly warn: (warnings: readonly RuleHit[]) => void
}

/** A class because of its getter: few calls need the base URL, which is slow to parse, and a getter in a literal is slower still. */
export class ReceivedCall implements Call<Route> {
  readonly key: ApiKey
  readonly params: Call<Route>['params']
  readonly query: Call<Route>['query']
  readonly body: unknown
  readonly files: Readonly<Record<string, Buffer>>
  readonly requestId: string
  readonly callId: string
  readonly traceparent: string | undefined
  readonly now: Date
  readonly warn: CallParts['warn']
  reservation: Reservation | undefined = undefined
  readonly #event: H3Event
  readonly #publicUrl: string | null

  constructor({ key, input, requestId, callId, traceparent, now, event, publicUrl, warn }: CallParts) {
    // The handler's type says which of these its route has; the checks guarantee it.
    this.key = key as ApiKey
    this.params = input.params as never
    this.query = input.query as never
    this.body = input.body
    this.files = input.files ?? noFiles
    this.requestId = requestId
    this.callId = callId as string
    this.traceparent = traceparent
    this.now = now
    this.warn = warn
    this.#event = event
    this.#publicUrl = publicUrl
  }

  get baseUrl(): string {
    return this.#publicUrl ?? findOrigin(this.#event.url.href)
  }
}

const noFiles = {}

/** Callers use few addresses, and each is slow to parse. */
const originsKept = 100
const origins = new Map<string, string>()

function findOrigin(href: string): string {
  const base = href.slice(0, href.indexOf('/', 'https://'.length))
  let origin = origins.get(base)
  if (origin === undefined) {
    origin = new URL(base).origin
    if (origins.size >= originsKept) origins.clear()
    origins.set(base, origin)
  }
  return origin
}
