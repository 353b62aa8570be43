/** Providers make pictures and clips: the stub, or real models. */

export interface ProviderImage {
  readonly bytes: Uint8Array
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp'
}

/** The context of a provider call, in addition to its request. */
export interface ProviderCall {
  /** Aborted when the lease is lost, the deadline passes or the process ends. The call must then stop soon. */
  readonly signal: AbortSignal
  /** The same for all attempts of a unit. */
  readonly unitId: string
  readonly taskId: string
  /** The time until the deadline of the unit when the call begins. */
  readonly leftMs: number
  /** The position of the unit in a trace, to send along, as W3C Trace Context defines it. */
  readonly traceparent?: string | undefined
  /**
   * The memo that an earlier attempt saved last, even if a crash interrupted it; null after an ambiguous attempt that may
   * be bought again. JSON, opaque to the caller. A provider that charges saves the order before it sends it, and throws
   * `ambiguous` if it finds such a memo without a response.
   */
  readonly memo: unknown
  /**
   * Resolves when the memo is durable. Rejects if the lease is lost. `begun` is the purchase that the memo's call has or may
   * have made; it is booked even if the call fails. Omitted if nothing was bought.
   */
  saveMemo(memo: unknown, begun?: BegunPurchase): Promise<void>
}

/** A scene for providers that draw it without a model. */
export interface PictureScene {
  readonly id: string
  /** As in the scene's file. */
  readonly backdrop: Readonly<Record<string, unknown>>
}

export interface PictureRequest {
  /** The subject of the picture, for the stub. A real model reads it from `prompt`. */
  readonly subject: {
    readonly species: 'dog' | 'cat'
    readonly pose: string
    /** For diary pictures only. */
    readonly scene?: PictureScene
  }
  /**
   * Photos and pictures of the pet, the most important first. The last is the photo that the others were made from, except
   * for a provider that takes a companion: another picture of the same task, after the photo.
   */
  readonly references: readonly ProviderImage[]
  readonly prompt: string
}

export interface ClipRequest {
  readonly subject: { readonly species: 'dog' | 'cat'; readonly pose: string }
  /** Equal to `lastFrame` for a loop. */
  readonly firstFrame: ProviderImage
  readonly lastFrame: ProviderImage
  /** The photo that the pet's pictures were made from. */
  readonly references: readonly ProviderImage[]
  readonly prompt: string
  readonly seconds: number
}

/** A purchase. `costMicros` is in millionths of a US dollar. */
export interface Purchase {
  readonly quantity: number
  readonly costMicros: number
}

/** A purchase in progress: from before the call is sent until it has a result or is known to have bought nothing. */
export interface BegunPurchase {
  readonly purchase: Purchase
  /** True if the service accepted the order and gave it an ID: it is paid, and polling it is free. */
  readonly isOrdered: boolean
}

export interface Picture {
  readonly image: ProviderImage
  readonly purchase: Purchase
}

/** A clip. A provider that makes no WebP leaves it null. */
export interface Clip {
  readonly mp4: Uint8Array | null
  readonly webp: Uint8Array | null
  /** Whole seconds, at least 1. */
  readonly durationSeconds: number
  readonly purchase: Purchase
}

export interface Provider {
  /** Upstream labels for task records. */
  readonly label: string
  readonly imageModel: string
  readonly videoModel: string
  /** Maximum number of units in work at once, over all processes. */
  readonly slots: number
  /** True if units are made in this process: its slots are of each process. */
  readonly isLocal?: boolean
  /** True if the first picture of an avatar is a reference for the others, which wait for it. */
  readonly takesCompanion?: boolean
  generatePicture(request: PictureRequest, call: ProviderCall): Promise<Picture>
  generateClip(request: ClipRequest, call: ProviderCall): Promise<Clip>
  close(): Promise<void>
}

/**
 * The end of a failed call on the wire, which decides how it may be retried. `not_sent` (it never reached the provider) and
 * `refused` (the provider rejected it) bought nothing. After `ambiguous` the purchase is unknown. `ordered` was bought and
 * is in the memo: only its result is missing, and a retry with that memo buys nothing.
 */
export type WireOutcome = 'not_sent' | 'refused' | 'rate_limited' | 'ambiguous' | 'ordered'

/** The only error that providers throw. Callers see a text of ours for its `code`; `message` and `cause` are for the log. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  /** The `error_code` of the pose. */
  readonly code: string
  readonly wire: WireOutcome
  /** True if a retry may succeed; never true for refused content. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  /** The purchase if `wire` is `ordered`, or the possible purchase if it is `ambiguous`. */
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

/** True if `error` is a ProviderError. Compares the name, because each bundle holds its own copy of the class. */
export function isProviderError(error: unknown): error is ProviderError {
  return error instanceof Error && error.name === 'ProviderError' && 'wire' in error
}
