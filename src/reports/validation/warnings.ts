import type { PayloadResult } from '../../payload-files/result.js'
import type { LocatedViolation } from '../../payload-files/syntax.js'
import type { ReportOptions } from './reporter.js'

type Strictness = Pick<ReportOptions, 'quiet' | 'strict'>

/** Returns the warnings to show. With `quiet`, only those that make the payload invalid. */
export function shownWarnings(
  { warnings }: Pick<PayloadResult, 'warnings'>,
  { quiet, strict }: Strictness,
): readonly LocatedViolation[] {
  return quiet && !strict ? [] : warnings
}

/** Returns the level of a warning in formats for tools: an error if it makes the payload invalid. */
export function levelOfWarnings({ strict }: Strictness): 'error' | 'warning' {
  return strict ? 'error' : 'warning'
}
