import { type Validation, type Violation, validate } from '../../insight/index.js'
import { locate } from '../input/location.js'
import { describeBroken, type PayloadText, parse, splitTexts } from '../input/payloads.js'
import type { Segment } from '../input/segments.js'
import type { LocatedViolation } from '../input/syntax.js'

/** A payload with something to say about it. `index` counts from the first payload of the segment. */
export interface Finding {
  readonly index: number
  readonly errors: readonly LocatedViolation[]
  readonly warnings: readonly LocatedViolation[]
}

/** What came out of a segment: how many payloads it held, and the findings among them in order. */
export interface Checked {
  readonly count: number
  readonly findings: readonly Finding[]
}

export type Validate = (payload: unknown) => Validation

/** Checks every payload of a segment. The same in the main thread and in a worker. */
export async function checkSegment(segment: Segment, check: Validate = validate): Promise<Checked> {
  const findings: Finding[] = []
  let index = 0
  for (const text of splitTexts(segment)) {
    const parsed = parse(text.text)
    if (parsed === undefined) {
      findings.push({ index, errors: [await describeBroken(segment, text)], warnings: [] })
    } else {
      const { errors, warnings } = check(parsed.value)
      if (errors.length > 0 || warnings.length > 0) {
        findings.push({ index, errors: withLocations(text, errors), warnings: withLocations(text, warnings) })
      }
    }
    index++
  }
  return { count: index, findings }
}

/** The violations of a payload with the place of each in the file. */
export function withLocations({ text, start }: PayloadText, violations: readonly Violation[]): LocatedViolation[] {
  return violations.map((violation) => ({ ...violation, ...locate(text, violation.path, start) }))
}
