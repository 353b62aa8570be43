import { get } from '../shared/dom.js'
import type { Envelope } from './answers.js'
import { findGuestPet, getKey } from './key.js'

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Relative to the base of the server, with the query. */
  readonly path: string
  readonly json?: unknown
  readonly form?: readonly FormField[]
}

/** A field of a form; `source` is the path of the file if the server has it. */
export type FormField = readonly [name: string, value: string | File, source?: string]

/** A call and its response. */
export interface Exchange {
  readonly call: ApiCall
  readonly durationMs: number
  /** Undefined if the server did not answer. */
  readonly status?: number
  readonly answer?: unknown
  /** The origin of the call if this page did not make it since it was loaded. */
  readonly madeBy?: string
}

/** The window event, with the `CallError` as its detail, for a key that the server rejects. */
export const keyRefused = 'svc:key-refused'

/** An error response, or a missing response. */
export class CallError extends Error {
  /** `retryAfterSeconds` is the time to wait before the next attempt, if the server gave it. */
  constructor(
    readonly status?: number,
    readonly envelope?: Envelope,
    readonly retryAfterSeconds?: number,
  ) {
    super(envelope?.error.message ?? 'The server does not answer.')
  }

  /** True if the same call may succeed later. */
  get isTransient(): boolean {
    return this.status === undefined || this.status === 429 || this.status >= 500
  }
}

/** Handles the error of a call whose response is optional. */
export function ignoreCallError(error: unknown): undefined {
  if (!(error instanceof CallError)) throw error
}

export const toAddress = (path: string): URL => new URL(path, document.baseURI)

/** Shows one banner while the server does not answer. */
function showBanner(isAnswered: boolean): void {
  const advice =
    findGuestPet() === undefined
      ? 'Start it again: svc demo then prints a new address, svc serve has the same.'
      : 'Its host may have ended it: ask for a new link.'
  const banner = get(HTMLElement, '#offline')
  if ((banner.textContent === '') !== isAnswered)
    banner.textContent = isAnswered ? '' : `The server does not answer. ${advice}`
}

/** Sends a call with the key. Throws `CallError`. */
export async function send<T>(call: ApiCall, onExchange: (exchange: Exchange) => void = () => {}): Promise<T> {
  const startedAt = performance.now()
  const key = getKey()
  const response = await fetch(toAddress(call.path), {
    method: call.method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: toBody(call),
    cache: 'no-store',
    credentials: 'omit',
  }).catch(() => undefined)
  showBanner(response !== undefined)
  const answer: unknown = await response?.json().catch(() => undefined)
  onExchange({ call, durationMs: performance.now() - startedAt, answer, ...(response && { status: response.status }) })
  if (response?.ok) return answer as T
  const retryAfter = Number(response?.headers.get('retry-after'))
  const error = new CallError(response?.status, isEnvelope(answer) ? answer : undefined, retryAfter || undefined)
  // If the key was changed meanwhile, the error does not concern the new one.
  if (error.status === 401 && key === getKey()) dispatchEvent(new CustomEvent(keyRefused, { detail: error }))
  throw error
}

/** Fetches a file that is served with the page. Throws `CallError`. */
export async function readFile(path: string): Promise<Response> {
  const response = await fetch(toAddress(path)).catch(() => undefined)
  showBanner(response !== undefined)
  if (!response?.ok) throw new CallError(response?.status)
  return response
}

function toBody({ json, form }: ApiCall): BodyInit | null {
  if (json !== undefined) return JSON.stringify(json)
  if (form === undefined) return null
  const data = new FormData()
  for (const [name, value] of form) data.append(name, value)
  return data
}

function isEnvelope(answer: unknown): answer is Envelope {
  return typeof (answer as Partial<Envelope> | undefined)?.error?.request_id === 'string'
}

/** Returns the address of a stored file on the server of this page, whose public URL may differ. */
export function toOwnAddress(url: string): string {
  const { pathname, search } = new URL(url)
  const at = pathname.indexOf('/objects/')
  return at < 0 ? url : toAddress(pathname.slice(at + 1) + search).href
}
