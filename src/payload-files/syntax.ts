import type { Violation } from '../insight/types.js'
import { type Location, toLocation } from '../text/json-location.js'

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
