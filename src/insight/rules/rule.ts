import type { Reading } from '../reading.js'
import type { Metric, Rule, ViewWindow } from '../types.js'

/** What a rule found: a violation without the rule's name. */
export interface Finding {
  readonly path: string
  readonly message: string
  readonly expected?: string
  readonly actual?: string
}

/**
 * A rule with what it checks beyond the structure. A check answers `undefined` when all is well or when a member that it
 * needs is missing or at fault; it is asked only for the metrics and windows named, if any are.
 */
export interface CheckedRule extends Rule {
  readonly metrics?: readonly Metric[]
  readonly windows?: readonly ViewWindow[]
  readonly check?: (reading: Reading) => Finding | readonly Finding[] | undefined
}

export const vitalMetrics = ['hr', 'hrv', 'rr'] as const
export const nightMetrics = ['rest', ...vitalMetrics] as const
export const periodWindows = ['week', 'month'] as const
