import { type Validation, type Violation, validate } from '../../insight/index.js'
import { createSureCheck } from '../../insight/surely-valid.js'
import { locate } from '../input/location.js'
import { describeBroken, type PayloadText, parse, readStretch, stretchAt } from '../input/payloads.js'
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

/**
 * A segment of this size is worth to make ready what checks payloads without parsing them. Then short ones use it, too: lines
 * that the reading cut in two would be the only ones to be parsed.
 */
const longBytes = 64 << 10
let isReady = false
/** How many payloads more may be in doubt than not before the rest of a segment is parsed. */
const maxDoubts = 16

/** Checks every payload of a segment. The same in the main thread and in a worker. */
export async function checkSegment(segment: Segment, check: Validate = validate): Promise<Checked> {
  const { bytes, lines } = segment
  isReady ||= lines && bytes.length >= longBytes
  const findSureEnd = isReady && lines && check === validate ? createSureCheck(bytes) : () => -1
  const findings: Finding[] = []
  let index = 0
  let doubts = 0
  // What is missing is one payload, too, of no bytes.
  for (let from = 0, line = 0; line === 0 || from < bytes.length; line++) {
    const sureEnd = doubts <= maxDoubts ? findSureEnd(from) : -1
    if (sureEnd >= 0) {
      doubts--
      index++
      from = sureEnd + 1
      continue
    }
    doubts++
    const stretch = stretchAt(segment, from, line)
    from = stretch.end + 1
    const text = readStretch(segment, stretch)
    if (text === undefined) continue
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
