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

export interface ObjectStore {
  /** Durable when it resolves, and never half there. Writing the same key again replaces the object. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Throws `not_found` if there is no such object. */
  get(key: string, range?: ByteRange): Promise<Buffer>
  findHead(key: string): Promise<ObjectHead | undefined>
  /** An object that is not there counts as deleted. */
  delete(key: string): Promise<void>
  /** An address that gives the object to whoever has it, for a limited time. `base` is that of the answer it stands in. */
  signUrl(key: string, base: string, now: Date): string
}
