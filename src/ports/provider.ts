/** What makes pictures and clips: the stub, or real models. */

export interface ProviderImage {
  readonly bytes: Uint8Array
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp'
}

/** What is known of a call beyond what is asked for. */
export interface ProviderCall {
  /** Aborted when the lease is lost, the deadline passes or the process ends: the call is to stop soon. */
  readonly signal: AbortSignal
  /** Stable over all attempts of one unit. */
  readonly unitId: string
  readonly taskId: string
  readonly deadlineAt: Date
  /**
   * What `saveMemo` was given last by an earlier attempt, also one that a crash cut short; null after an ambiguous one
   * that may be bought again. Opaque to the caller, JSON. A provider that charges saves what it is about to buy before
   * it sends, and throws `ambiguous` where it finds such a memo without an answer.
   */
  readonly memo: unknown
  /**
   * Resolves when the memo is durable. Throws when the lease is lost. `begun` is what the memo's call has or may have
   * bought, so that it is booked whatever becomes of the call; left out where nothing is.
   */
  saveMemo(memo: unknown, begun?: Begun): Promise<void>
  /** 0 to 1. */
  onProgress(fraction: number): void
}

/** A scene as it is drawn where no model paints it. */
export interface PictureScene {
  readonly id: string
  /** In the words of a scene's file. */
  readonly backdrop: Readonly<Record<string, unknown>>
}

export interface PictureRequest {
  /** The picture's subject: what the stub draws. A real model has it in `prompt`. */
  readonly subject: {
    readonly species: 'dog' | 'cat'
    readonly pose: string
    /** Of a diary picture. */
    readonly scene?: PictureScene
  }
  /** Photos and pictures of the pet, the most important first; the last is the photo that the others were made from. */
  readonly references: readonly ProviderImage[]
  readonly prompt: string
  readonly options: Readonly<Record<string, unknown>>
}

export interface ClipRequest {
  readonly subject: { readonly species: 'dog' | 'cat'; readonly pose: string }
  /** The same picture for a loop. */
  readonly firstFrame: ProviderImage
  readonly lastFrame: ProviderImage
  /** The photo that the pet's pictures were made from. */
  readonly references: readonly ProviderImage[]
  readonly prompt: string
  readonly seconds: number
  readonly options: Readonly<Record<string, unknown>>
}

/** What was bought. `costMicros` is in millionths of a US dollar. */
export interface Purchase {
  readonly quantity: number
  readonly costMicros: number
}

/** A call that buys, from before it is sent until its result is there or it is known that nothing was bought. */
export interface Begun {
  readonly purchase: Purchase
  /** The service took the order and named it: it was bought, and asking what became of it costs nothing. */
  readonly isOrdered: boolean
}

export interface Picture {
  readonly image: ProviderImage
  readonly purchase: Purchase
}

/** A clip; a provider that makes no WebP leaves it out. */
export interface Clip {
  readonly mp4: Uint8Array | null
  readonly webp: Uint8Array | null
  /** Whole seconds, at least 1. */
  readonly durationSeconds: number
  readonly purchase: Purchase
}

export interface Provider {
  /** Upstream labels, as task records show them. */
  readonly label: string
  readonly imageModel: string
  readonly videoModel: string
  /** Units in work at once, all processes together. */
  readonly slots: number
  generatePicture(request: PictureRequest, call: ProviderCall): Promise<Picture>
  generateClip(request: ClipRequest, call: ProviderCall): Promise<Clip>
  close(): Promise<void>
}

/**
 * What happened on the wire, which decides what may be done next: `not_sent` (never reached the provider) and `refused`
 * (it said no, nothing was bought) cost nothing; of `ambiguous` nobody knows whether it was bought. What is
 * `ordered` was bought and stands in the memo: only its result is missing, and asking again with that memo buys nothing.
 */
export type WireOutcome = 'not_sent' | 'refused' | 'rate_limited' | 'ambiguous' | 'ordered'

/** The one error of a provider. Callers are told its `code`, in words of ours; `message` and `cause` are for the log. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  /** What a pose shows as its `error_code`. */
  readonly code: string
  readonly wire: WireOutcome
  /** Whether another try may end otherwise; a refusal of the content never does. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  /** What was bought where `wire` is `ordered`, or may have been where it is `ambiguous`. */
  readonly purchase: Purchase | undefined

  constructor(
    code: string,
    message: string,
    options: {
      wire: WireOutcome
      retryable: boolean
      retryAfterMs?: number
      purchase?: Purchase
      cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.wire = options.wire
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
    this.purchase = options.purchase
  }
}

/** Whether `error` is a ProviderError. By name, because each bundle holds its own copy of the class. */
export function isProviderError(error: unknown): error is ProviderError {
  return error instanceof Error && error.name === 'ProviderError' && 'wire' in error
}
