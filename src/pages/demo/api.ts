import type { Envelope } from './answers.js'
import { getKey } from './key.js'

export interface Call {
  readonly method: 'GET' | 'POST'
  /** Below the base of the server, with its query. */
  readonly path: string
  readonly json?: unknown
  readonly form?: readonly FormField[]
}

/** `source` is where a file can be had from the server itself. */
export type FormField = readonly [name: string, value: string | File, source?: string]

/** A call and what came of it. */
export interface Exchange {
  readonly call: Call
  readonly durationMs: number
  /** Without one the server did not answer. */
  readonly status?: number
  readonly answer?: unknown
  /** Who made it, where this page as it is loaded did not. */
  readonly madeBy?: string
}

/** What the window hears, with the `CallError` as its detail, when the server does not take the key of this tab. */
export const keyRefused = 'svc:key-refused'

/** An answer that is no success, or none at all. */
export class CallError extends Error {
  readonly status: number | undefined
  readonly envelope: Envelope | undefined
  /** What the server asks to wait before the next try. */
  readonly retryAfterSeconds: number | undefined

  constructor(status?: number, envelope?: Envelope, retryAfterSeconds?: number) {
    super(envelope?.error.message ?? 'The server does not answer.')
    this.status = status
    this.envelope = envelope
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether the same call may do better in a while. */
  get isPassing(): boolean {
    return this.status === undefined || this.status === 429 || this.status >= 500
  }
}

/** For a call whose answer can be done without. */
export function ignoreCallError(error: unknown): undefined {
  if (!(error instanceof CallError)) throw error
}

export const toAddress = (path: string): URL => new URL(path, document.baseURI)

/** Sends a call with the key. Throws `CallError`. */
export async function send<T>(call: Call, onExchange: (exchange: Exchange) => void = () => {}): Promise<T> {
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
  const answer: unknown = await response?.json().catch(() => undefined)
  onExchange({ call, durationMs: performance.now() - startedAt, answer, ...(response && { status: response.status }) })
  if (response?.ok) return answer as T
  const retryAfter = Number(response?.headers.get('retry-after'))
  const error = new CallError(response?.status, isEnvelope(answer) ? answer : undefined, retryAfter || undefined)
  // Of a key that has been changed meanwhile, nothing is said.
  if (error.status === 401 && key === getKey()) dispatchEvent(new CustomEvent(keyRefused, { detail: error }))
  throw error
}

/** Gives a file that is served with the page. Throws `CallError`. */
export async function readFile(path: string): Promise<Response> {
  const response = await fetch(toAddress(path)).catch(() => undefined)
  if (!response?.ok) throw new CallError(response?.status)
  return response
}

function toBody({ json, form }: Call): BodyInit | null {
  if (json !== undefined) return JSON.stringify(json)
  if (form === undefined) return null
  const data = new FormData()
  for (const [name, value] of form) data.append(name, value)
  return data
}

function isEnvelope(answer: unknown): answer is Envelope {
  return typeof (answer as Partial<Envelope> | undefined)?.error?.request_id === 'string'
}

/** The address of a stored file on the server that this page is of, by whatever name the server calls itself. */
export function toOwnAddress(url: string): string {
  const { pathname, search } = new URL(url)
  const at = pathname.indexOf('/objects/')
  return at < 0 ? url : toAddress(pathname.slice(at + 1) + search).href
}
