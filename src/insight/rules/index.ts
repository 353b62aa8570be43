import type { Metric, Rule, ViewWindow } from '../types.js'
import { amountRules } from './amounts.js'
import { averageRules } from './averages.js'
import { comparisonRules } from './comparison.js'
import { contextRules, localDateRules } from './context.js'
import { envelopeRules } from './envelope.js'
import { judgmentRules } from './judgment.js'
import { measurementRules } from './measurement.js'
import { modeRules } from './mode.js'
import { nightRules } from './night.js'
import { periodRules } from './period.js'
import type { CheckedRule } from './rule.js'
import { seriesRules } from './series.js'
import { snapshotRules } from './snapshot.js'

const checkedRules: readonly CheckedRule[] = [
  ...envelopeRules,
  ...periodRules,
  ...modeRules,
  ...contextRules,
  ...snapshotRules,
  ...comparisonRules,
  ...localDateRules,
  ...judgmentRules,
  ...seriesRules,
  ...averageRules,
  ...nightRules,
  ...measurementRules,
  ...amountRules,
]

/**
 * Every validity rule, in the order of the health detail contract. The schemas check the structural ones and
 * name them; the code that parses reports `payload-json` and `payload-duplicate-member`.
 */
export const rules: readonly Rule[] = checkedRules

/** The members of a rule that `validate` uses. All have one shape: V8 finds properties of many shapes slowly. */
type Applicable = Pick<CheckedRule, 'id' | 'severity'> & Required<Pick<CheckedRule, 'check'>>

/** The rules that check more than structure for a metric and window; those of all kinds when one of them is unknown. */
export function rulesFor(metric: Metric | undefined, viewWindow: ViewWindow | undefined): readonly Applicable[] {
  const known = chosen.get(metric)?.get(viewWindow)
  if (known !== undefined) return known
  const applicable = checkedRules.flatMap(({ id, severity, check, metrics, windows }) =>
    check !== undefined && appliesTo(metrics, metric) && appliesTo(windows, viewWindow) ? { id, severity, check } : [],
  )
  chosen.set(metric, (chosen.get(metric) ?? new Map()).set(viewWindow, applicable))
  return applicable
}

const chosen = new Map<Metric | undefined, Map<ViewWindow | undefined, readonly Applicable[]>>()

function appliesTo<Name>(names: readonly Name[] | undefined, name: Name | undefined): boolean {
  return names === undefined || (name !== undefined && names.includes(name))
}
