import type { Facts } from './facts.js'
import { fits, type Scenario, scenarios } from './scenarios.js'
import { encodeSituation, readSituation, type Situation } from './situation.js'
import type { Severity, Status } from './types.js'

/** The sentence that is said and how it counts, the same in every language. */
export interface Decision {
  readonly scenario: Scenario
  readonly status: Status
  readonly severity: Severity
  readonly ruleId: string
}

/**
 * Status of a past day whose rating does not count as worse: the text only states.
 * Source: health detail contract, 2.3.3 and 3.
 * @NOTE contract: the status itself is not shown; a neutral statement is an observation.
 */
const statusWhenNotWorse: Status = 'observation'

/**
 * Decides scenario, status, severity and rule ID of a valid payload's facts.
 * Throws a RangeError for facts that fit no scenario, which no valid payload has.
 * Source: health detail contract, 2.3, 2.5 and 3.
 */
export function decide(facts: Facts): Decision {
  const situation = readSituation(facts)
  const scenario = findScenario(situation)
  const status = readStatus(scenario, situation, facts)
  return {
    scenario,
    status,
    severity: status === 'attention' ? 'low' : 'none',
    ruleId: readRuleId(facts, situation, status),
  }
}

const scenarioByCode = new Map<number, Scenario>()

/** The table's answer, remembered: there are few situations and many payloads. */
function findScenario(situation: Situation): Scenario {
  const code = encodeSituation(situation)
  let scenario = scenarioByCode.get(code)
  if (scenario === undefined) {
    scenario = scenarios.find((candidate) => fits(candidate, situation))
    if (scenario === undefined) throw new RangeError(`no scenario for ${JSON.stringify(situation)}`)
    scenarioByCode.set(code, scenario)
  }
  return scenario
}

function readStatus(scenario: Scenario, { view }: Situation, { judgment }: Facts): Status {
  const status = scenario.status === 'counted' ? readCountedStatus(judgment) : scenario.status
  // Attention days of a week or month are in the worsening direction by definition: their status stays (2.3.2, 2.3.4).
  return status === 'attention' && view === 'day' && judgment?.isDeteriorating === false ? statusWhenNotWorse : status
}

function readCountedStatus(judgment: Facts['judgment']): Status {
  return (judgment?.attentionDays ?? 0) >= 1 ? 'attention' : 'observation'
}

/** @NOTE contract: five IDs are observed; the others complete their family. */
function readRuleId({ judgment, metric }: Facts, { view }: Situation, status: Status): string {
  const prefix = metric.toUpperCase()
  if (status === 'insufficient_data') return `${prefix}_INSUFFICIENT_DATA`
  if (view === 'today') return `${prefix}_IN_PROGRESS_SUMMARY`
  return judgment === undefined ? `${prefix}_FACT_SUMMARY` : `${prefix}_SUPPLIED_JUDGMENT`
}
