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

/** An object as listed. */
export interface StoredObject {
  readonly key: string
  readonly sizeBytes: number
  /** In epoch milliseconds. */
  readonly storedAt: number
}

/**
 * A snapshot of an object: a later change to its key does not affect it, or ends the stream with `unavailable` if the
 * store does not keep the old state. No stream mixes two states.
 */
export interface OpenObject extends ObjectHead {
  /** Unique for every state of every object. Letters, digits, `-` and `_`. */
  readonly version: string
  /** Streams the bytes on demand. Closes the object at the end of the stream and when the stream is canceled. */
  stream(range?: ByteRange): ReadableStream<Uint8Array>
  /** For callers that do not stream. */
  close(): Promise<void>
}

export interface ObjectHost {
  /** The origin of its URLs. */
  readonly origin: string
  /** Returns a URL that serves the object for a limited time without a key. */
  presign(key: string, seconds: number): Promise<string>
}

export interface ObjectStore {
  /** Writes an object atomically; durable when it resolves. Replaces an existing object of the same key. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Throws `not_found` if the object does not exist. A range is cut to the size of the object. */
  get(key: string, range?: ByteRange): Promise<Buffer>
  findHead(key: string): Promise<ObjectHead | undefined>
  /** Opens an object to stream it. The caller must stream it to its end or close it. */
  open(key: string): Promise<OpenObject | undefined>
  /** Idempotent: resolves if the object does not exist. */
  delete(key: string): Promise<void>
  /** Iterates the objects whose keys begin with `prefix`. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Returns a URL that serves the object for a limited time without a key. `base` is the origin of the response's own URL. */
  signUrl(key: string, base: string, now: Date): string
  /** The host of the store, if it serves objects itself. */
  readonly host?: ObjectHost
}

/** Signs the URLs of objects and verifies the signatures. */
export interface UrlSignatures {
  sign(key: string, base: string, now: Date): string
  /** True if `sign` made this URL for the key and it has not expired. Compares signatures in constant time. */
  isValid(key: string, signed: { readonly expires: string; readonly signature: string }, now: Date): boolean
}
