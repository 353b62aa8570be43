/** Stored files. Every object key begins with `ai-gateway/`. */

export interface ObjectHead {
  readonly sizeBytes: number
  readonly contentType: string
}

export interface ByteRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

/** One state of an object, whatever becomes of its key meanwhile. */
export interface OpenObject extends ObjectHead {
  /** Differs for every state of every object. Letters, digits, `-` and `_`. */
  readonly version: string
  /** The bytes, piece by piece, as fast as they are taken. Closes the object at its end, and when it is cancelled. */
  stream(range?: ByteRange): ReadableStream<Uint8Array>
  /** For whoever does not stream. */
  close(): Promise<void>
}

export interface ObjectStore {
  /** Durable when it resolves, and never half there. Writing the same key again replaces the object. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Throws `not_found` if there is no such object. A range is cut to what there is. */
  get(key: string, range?: ByteRange): Promise<Buffer>
  findHead(key: string): Promise<ObjectHead | undefined>
  /** For objects that are handed on and need not be in memory. Whoever opens one streams it to its end or closes it. */
  open(key: string): Promise<OpenObject | undefined>
  /** An object that is not there counts as deleted. */
  delete(key: string): Promise<void>
  /** An address that gives the object to whoever has it, for a limited time. `base` is that of the answer it stands in. */
  signUrl(key: string, base: string, now: Date): string
}

/** What makes an address of an object one of ours. */
export interface UrlSignatures {
  sign(key: string, base: string, now: Date): string
  /** Whether `sign` made this address for the key and it has not ended. Takes as long for a wrong signature as for a right one. */
  isValid(key: string, signed: { readonly expires: string; readonly signature: string }, now: Date): boolean
}
