import { createFastValidator, type FindValidLineEnd } from '../insight/fast-validator.js'
import {
  ignoresMembers,
  type UnknownMembers,
  type Validation,
  type Violation,
  validate,
  validateUnknown,
} from '../insight/index.js'
import { locate } from './location.js'
import { decodeSpan, describeBroken, type PayloadText, parse, spanAt } from './payloads.js'
import type { Segment } from './segment.js'
import type { LocatedViolation } from './syntax.js'

/** A payload with errors or warnings. `index` counts from the first payload of the segment. */
export interface FlaggedPayload {
  readonly index: number
  readonly errors: readonly LocatedViolation[]
  readonly warnings: readonly LocatedViolation[]
}

/** The result of a segment: the number of its payloads, and those with errors or warnings, in order. */
export interface CheckedSegment {
  readonly count: number
  readonly flagged: readonly FlaggedPayload[]
  /** The number of payloads with unknown members that no violation names; 0 if the caller chose what to do with those. */
  readonly ignoring: number
}

export type Validate = (payload: unknown) => Validation

/**
 * From this size on, a segment is worth loading the validator that does not parse. From then on short segments use it too:
 * otherwise a line that was split between two chunks would be parsed and load the slow path.
 */
const longBytes = 64 << 10
/** After so many more undecided payloads than valid ones, the rest of a segment is parsed. */
const maxDoubts = 16

export type CheckSegment = (segment: Segment) => Promise<CheckedSegment>

/**
 * Returns a function that checks every payload of a segment. A thread needs one, which loads the fast validator once.
 * `unknown`: see `validateUnknown`; it takes the place of `check`.
 */
export function createCheckSegment(check: Validate = validate, unknown?: UnknownMembers): CheckSegment {
  /** Of the segment that is checked: they come one after the other. */
  let ignoring = 0
  const openLines = createFastValidator({
    isKnownOnly: unknown === 'warn' || unknown === 'error',
    onUnknown: () => ignoring++,
  })
  const judge = (payload: unknown) => {
    if (unknown !== undefined) return validateUnknown(payload, unknown)
    const validation = check(payload)
    if (ignoresMembers(payload, validation)) ignoring++
    return validation
  }
  let isReady = false
  return async (segment) => {
    const { bytes, lines } = segment
    isReady ||= lines && bytes.length >= longBytes
    const isFast = isReady && lines && check === validate
    ignoring = 0
    const checked = await checkLines(segment, judge, isFast ? openLines(bytes) : () => -1)
    return { ...checked, ignoring: unknown === undefined ? ignoring : 0 }
  }
}

async function checkLines(
  segment: Segment,
  check: Validate,
  findValidLineEnd: FindValidLineEnd,
): Promise<Omit<CheckedSegment, 'ignoring'>> {
  const { bytes } = segment
  const flagged: FlaggedPayload[] = []
  let index = 0
  let doubts = 0
  // A missing payload of an array counts as one, without bytes.
  for (let from = 0, line = 0; line === 0 || from < bytes.length; line++) {
    const validEnd = doubts <= maxDoubts ? findValidLineEnd(from) : -1
    if (validEnd >= 0) {
      doubts--
      index++
      from = validEnd + 1
      continue
    }
    doubts++
    const span = spanAt(segment, from, line)
    from = span.end + 1
    const text = decodeSpan(segment, span)
    if (text === undefined) continue
    const parsed = parse(text.text)
    if (parsed === undefined) {
      flagged.push({ index, errors: [await describeBroken(segment, text)], warnings: [] })
    } else {
      const { errors, warnings } = check(parsed.value)
      if (errors.length > 0 || warnings.length > 0) {
        flagged.push({ index, errors: withLocations(text, errors), warnings: withLocations(text, warnings) })
      }
    }
    index++
  }
  return { count: index, flagged }
}

/** Adds the location in the file to each violation of a payload. */
export function withLocations({ text, start }: PayloadText, violations: readonly Violation[]): LocatedViolation[] {
  return violations.map((violation) => ({ ...violation, ...locate(text, violation.path, start) }))
}
