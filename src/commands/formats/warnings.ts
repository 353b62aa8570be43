import type { LocatedViolation } from '../input/syntax.js'
import type { PayloadResult } from '../validate/result.js'
import type { ReportOptions } from './index.js'

type Strictness = Pick<ReportOptions, 'quiet' | 'strict'>

/** The warnings to show: none when quiet, but for those that make the payload invalid. */
export function shownWarnings(
  { warnings }: Pick<PayloadResult, 'warnings'>,
  { quiet, strict }: Strictness,
): readonly LocatedViolation[] {
  return quiet && !strict ? [] : warnings
}

/** The level of a warning in formats that tools read: an error when it makes the payload invalid. */
export function levelOfWarnings({ strict }: Strictness): 'error' | 'warning' {
  return strict ? 'error' : 'warning'
}
