import type { RuleHit } from '../../log/request-log.js'
import type { ApiKey } from '../../ports/keys.js'
import type { RequestId } from './request-id.js'

/** The state of a call in progress, from which the log entry and the headers of the response are made. */
export interface Progress {
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
  /** Of a call that may have an `Idempotency-Key`, if its client is judged. */
  fingerprint?: string
  /** The rule that changed the response. */
  fault?: string
  /** True if a body or parameters were read: the message of an unexpected error may quote them. */
  hasBody?: boolean
}

/** A way to break a response: nothing is sent, only the first half, or the second half later. */
export type Delivery =
  | { readonly kind: 'drop' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'stall'; readonly ms: number }

export interface Outcome {
  readonly status: number
  readonly body: unknown
  readonly json?: string | undefined
  /** The content of a file, in place of `body`. */
  readonly stream?: ReadableStream<Uint8Array> | undefined
  /** Set if the response is not sent as a whole. */
  readonly delivery?: Delivery | undefined
}
