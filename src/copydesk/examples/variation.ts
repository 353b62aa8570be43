import type { HealthDetailPayload } from '../../insight/schema.js'

/** A change to a payload that may change the words of its text. */
export interface Variation {
  /** The change, in the words of a reader. */
  readonly words: string
  /** The pages that it applies to, matched against `metric window mode`. */
  readonly pages: RegExp
  readonly change: (payload: HealthDetailPayload) => HealthDetailPayload
}
