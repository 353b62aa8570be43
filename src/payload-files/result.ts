import type { Violation } from '../insight/types.js'
import { type Location, toLocation } from '../text/json-location.js'

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

/** Some whole lines of NDJSON, or the text of one payload. It starts at `start` in its file. */
export interface Segment {
  readonly bytes: Buffer
  readonly lines: boolean
  readonly start: Location
  /** Set if an array lacks a payload or does not end: describes the syntax error. The segment has no bytes. */
  readonly syntaxError?: string
}

/** A payload or line that is too long to check. `problem` is a sentence. */
export interface SkippedSegment {
  readonly problem: string
}

/** The longest payload or NDJSON line that is read. */
export const payloadLimitBytes = 16 << 20

/** A violation with its location in the file. */
export interface LocatedViolation extends Violation, Location {}

/** The rule that a text breaks if it is not JSON. The server answers such a body with the same 422 as any other. */
export const syntaxRule = 'payload-json'

/** Describes the syntax error of a text that `JSON.parse` rejected. `text` starts at `start`. */
export async function describeSyntaxError(text: string, start: Location): Promise<LocatedViolation> {
  // Loaded on demand: most runs never need a second JSON parser.
  const { findSyntaxError } = await import('./syntax-error.js')
  const { offset, message } = findSyntaxError(text)
  return toSyntaxViolation(toLocation(text, offset, start), message)
}

export function toSyntaxViolation(at: Location, what: string): LocatedViolation {
  const message = `This is not valid JSON: ${what} at line ${at.line}, column ${at.column}.`
  return { path: '', rule: syntaxRule, message, ...at }
}
