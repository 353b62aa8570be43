import type { LocatedViolation } from './syntax.js'

/** The result of one payload; `index` is its position in its source, from 0. */
export interface PayloadResult {
  readonly source: string
  readonly index: number
  readonly valid: boolean
  readonly errors: readonly LocatedViolation[]
  readonly warnings: readonly LocatedViolation[]
}

/** A source, or part of one, that could not be read. */
export interface Problem {
  readonly source?: string
  readonly message: string
}

export interface Summary {
  readonly sources: number
  readonly payloads: number
  readonly valid: number
  readonly invalid: number
  readonly errors: number
  readonly warnings: number
  /** Sources or parts of one that could not be read. */
  readonly problems: number
  /** Errors and warnings that --max-errors left out. */
  readonly notShown: number
}
