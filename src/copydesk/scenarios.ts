import { type Copy, generate, ruleIdsOf, type Severity, type Status, scenarios, statusesOf } from '../insight/index.js'
import type { Fixture } from './fixtures.js'

/** A row of `svc insight scenarios`. */
export interface ScenarioRow extends Partial<ReachedBy> {
  readonly id: string
  readonly statuses: readonly Status[]
  readonly severities: readonly Severity[]
  readonly ruleIds: readonly string[]
  readonly condition: string
  readonly fixtures: readonly string[]
}

/** The fixtures that get a scenario. */
export interface ReachedBy {
  /** File names; the fixture named after the scenario comes first. */
  readonly fixtures: readonly string[]
  /** The English text of the first fixture. */
  readonly example: string
}

/** Lists every scenario with the fixtures that reach it. */
export function listScenarios(reached: ReadonlyMap<string, ReachedBy>): ScenarioRow[] {
  return scenarios.map((scenario) => {
    const statuses = statusesOf(scenario)
    return {
      id: scenario.id,
      statuses,
      severities: statuses.map((status) => (status === 'attention' ? 'low' : 'none')),
      ruleIds: ruleIdsOf(scenario),
      condition: scenario.condition,
      fixtures: [],
      ...reached.get(scenario.id),
    }
  })
}

/** Groups fixtures by the ID of the scenario that they get. */
export function groupByScenario(fixtures: readonly Fixture[], copy: Copy): ReadonlyMap<string, ReachedBy> {
  const reached = new Map<string, ReachedBy>()
  for (const { name, payload } of fixtures) {
    const { scenario, summary } = generate(payload, { copy, locale: 'en-US' })
    const file = `${name}.json`
    const known = reached.get(scenario)
    const isOwn = name === scenario
    reached.set(scenario, {
      fixtures: isOwn ? [file, ...(known?.fixtures ?? [])] : [...(known?.fixtures ?? []), file],
      example: isOwn || known === undefined ? summary : known.example,
    })
  }
  return reached
}
