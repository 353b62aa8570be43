import type { Reading } from '../reading.js'
import type { Metric, Rule, ViewWindow, Violation } from '../types.js'

/** A finding of a rule: a violation without the rule's name. */
export type ViolationDetails = Omit<Violation, 'rule'>

/**
 * A rule with what it checks beyond the structure. A check returns `undefined` when all is well or when a member that it
 * needs is missing or invalid. It is called only for the metrics and windows named, if any are.
 */
export interface CheckedRule extends Rule {
  readonly metrics?: readonly Metric[]
  readonly windows?: readonly ViewWindow[]
  readonly check?: (reading: Reading) => ViolationDetails | readonly ViolationDetails[] | undefined
}

export const vitalMetrics = ['hr', 'hrv', 'rr'] as const
export const nightMetrics = ['rest', ...vitalMetrics] as const
export const periodWindows = ['week', 'month'] as const

/** The view time of examples that have one: a Wednesday. */
export const seen = { asOf: '2026-10-14T16:05:00+08:00' } as const
