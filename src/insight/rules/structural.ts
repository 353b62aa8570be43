import { structuralRules } from '../../generated/validators.js'
import type { CheckedRule } from './rule.js'

/** Returns rules that the schema checks. Not in `rule.ts`, whose types are published: those of the validators are not. */
export const structural = (...ids: readonly (keyof typeof structuralRules)[]): readonly CheckedRule[] =>
  ids.map((id) => structuralRules[id])
