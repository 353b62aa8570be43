import { nameMember } from '../insight/describe-value.js'
import {
  ignoresMembers,
  type UnknownMembers,
  type Validation,
  type Violation,
  validate,
  validateUnknown,
} from '../insight/index.js'
import { duplicateMemberRule } from '../insight/rules/envelope.js'
import { findDuplicateMembers } from '../text/duplicate-members.js'
import { locate, toLocation } from '../text/json-location.js'
import { describeBroken, type PayloadText, parse, splitTexts } from './payloads.js'
import type { LocatedViolation, PayloadResult, Segment } from './result.js'

/** A payload with errors or warnings. `index` counts from the first payload of the segment. */
type FlaggedPayload = Pick<PayloadResult, 'index' | 'errors' | 'warnings'>

/** The result of a segment: the number of its payloads, and those with errors or warnings, in order. */
export interface CheckedSegment {
  readonly count: number
  readonly flagged: readonly FlaggedPayload[]
  /** The number of payloads with unknown members that no violation names; 0 if the caller chose what to do with those. */
  readonly ignoring: number
}

export type Validate = (payload: unknown) => Validation

export type CheckSegment = (segment: Segment) => Promise<CheckedSegment>

/** Returns a function that checks every payload of a segment. `unknown`: see `validateUnknown`; it takes the place of `check`. */
export function createCheckSegment(check: Validate = validate, unknown?: UnknownMembers): CheckSegment {
  return async (segment) => {
    const flagged: FlaggedPayload[] = []
    let index = 0
    let ignoring = 0
    for (const text of splitTexts(segment)) {
      const parsed = parse(text.text)
      if (parsed === undefined) {
        flagged.push({ index, errors: [await describeBroken(segment, text)], warnings: [] })
      } else {
        const { value } = parsed
        const validation = unknown === undefined ? check(value) : validateUnknown(value, unknown)
        const { errors } = validation
        if (unknown === undefined && ignoresMembers(value, validation)) ignoring++
        const warnings = [...listDuplicates(text, value), ...withLocations(text, validation.warnings)]
        if (errors.length > 0 || warnings.length > 0) {
          flagged.push({ index, errors: withLocations(text, errors), warnings })
        }
      }
      index++
    }
    return { count: index, flagged, ignoring }
  }
}

function listDuplicates({ text, start }: PayloadText, value: unknown): LocatedViolation[] {
  return findDuplicateMembers(text, value).map(({ pointer, offsets }) => {
    const [first, last] = [offsets.at(0), offsets.at(-1)].map((offset = 0) => toLocation(text, offset, start))
    const words = [first, last].map((at = start) => `line ${at.line}, column ${at.column}`)
    const times = offsets.length === 2 ? 'twice, at' : `${offsets.length} times, first and last at`
    return {
      path: pointer,
      rule: duplicateMemberRule,
      message: `${nameMember(pointer)} is sent ${times} ${words.join(' and ')}: only the last counts.`,
      expected: 'one member of this name',
      actual: `${offsets.length} members`,
      ...(last ?? start),
    }
  })
}

/** Adds the location in the file to each violation of a payload. */
export function withLocations({ text, start }: PayloadText, violations: readonly Violation[]): LocatedViolation[] {
  return violations.map((violation) => ({ ...violation, ...locate(text, violation.path, start) }))
}
