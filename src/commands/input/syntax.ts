import type { Violation } from '../../insight/types.js'
import { type Location, toLocation } from './location.js'

/** A violation with the place in its file. */
export interface LocatedViolation extends Violation, Location {}

/** The rule that a text breaks which is no JSON at all. The server answers such a body with the same 422 as any other. */
export const syntaxRule = 'payload-json'

/** What is wrong with a text that `JSON.parse` refused, as a sentence with its place. `text` starts at `start`. */
export async function describeSyntaxError(text: string, start: Location): Promise<LocatedViolation> {
  // Loaded when a text is broken: most runs never need a second JSON parser.
  const { findFault } = await import('./fault.js')
  const { offset, message } = findFault(text)
  const at = toLocation(text, offset, start)
  return brokenJson(at, message)
}

export function brokenJson(at: Location, what: string): LocatedViolation {
  const message = `This is not valid JSON: ${what} at line ${at.line}, column ${at.column}.`
  return { path: '', rule: syntaxRule, message, ...at }
}
