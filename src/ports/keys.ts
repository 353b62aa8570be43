import type { Budget } from './money.js'

/** A stored API key. Only the SHA-256 of the key's text is stored, never the text. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key's text, hexadecimal. */
  readonly secretHash: string
  /** Endpoint groups the key may call; null means all, including those of later versions. */
  readonly endpoints: readonly string[] | null
  /** Model aliases the key may use; null means all. */
  readonly models: readonly string[] | null
  /** The media that the key may generate: `image`, `video`, both or none. */
  readonly capabilities: readonly string[]
  /** IDs of the pets that calls with the key may concern; null means all. */
  readonly pets: readonly string[] | null
  /** Accepted calls in any 60 seconds; 0 means unlimited. */
  readonly rateLimit: number
  /** The budget for pictures and clips; null means unlimited. A rotated key shares it with its successor. */
  readonly budget: Budget | null
  /** True if the key may read the gateway's own records. */
  readonly admin: boolean
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** ID of the key that this key was rotated from. */
  readonly replaces: string | null
}

export interface KeyStore {
  findKey(id: string): Promise<ApiKey | undefined>
  /** Lists all keys, oldest first, including revoked and expired keys. */
  listKeys(): Promise<ApiKey[]>
  insertKey(key: ApiKey): Promise<void>
  /** Inserts the key if the store has no key. Returns true if it did; true for only one of several concurrent calls. */
  insertFirstKey(key: ApiKey): Promise<boolean>
  revokeKey(id: string, now: Date): Promise<void>
  /** Inserts `next` and makes `id` expire at `endsAt`, or earlier if it already does, in one transaction. */
  replaceKey(id: string, endsAt: Date, next: ApiKey): Promise<void>
}
