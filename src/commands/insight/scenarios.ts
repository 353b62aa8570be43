import { fileURLToPath } from 'node:url'
import { loadInsightCopy } from '../../catalog.js'
import { shippedUrl } from '../../entry.js'
import {
  generate,
  type HealthDetailPayload,
  ruleIdsOf,
  type Scenario,
  type Severity,
  type Status,
  scenarios,
  statusesOf,
  validate,
} from '../../insight/index.js'
import type { CommandResult } from '../command.js'
import { readPayloads } from '../input/payloads.js'
import { findSources } from '../input/sources.js'
import { createPaint, type Paint } from '../output/style.js'
import { count } from '../output/words.js'

/** A scenario as reviewers look it up. */
export interface ScenarioRow {
  readonly id: string
  readonly statuses: readonly Status[]
  readonly severities: readonly Severity[]
  readonly ruleIds: readonly string[]
  readonly condition: string
  /** Names of the shipped fixtures that land on it, the one of its own name first. */
  readonly fixtures: readonly string[]
  /** The English text of the first of them. */
  readonly example?: string
}

/** What a shipped fixture shows. */
export interface ReachedBy {
  readonly fixtures: readonly string[]
  readonly example: string
}

/** `svc insight scenarios`: every scenario and which shipped fixture reaches it; one that none reaches is marked. */
export async function runScenarios(json: boolean): Promise<CommandResult> {
  const rows = listScenarios(await findFixtures(fileURLToPath(shippedUrl('fixtures/insight'))))
  const text = json ? `${JSON.stringify({ scenarios: rows })}\n` : renderScenarios(rows, createPaint(process.stdout))
  process.stdout.write(text)
  return 0
}

/** The table of scenarios with the fixtures that reach each. */
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

/** Scenario IDs with the payloads of a folder that land on them. */
export async function findFixtures(folder: string): Promise<Map<string, ReachedBy>> {
  const copy = await loadInsightCopy()
  const reached = new Map<string, ReachedBy>()
  for (const { source } of await findSources([folder])) {
    if (source === undefined) continue
    for await (const item of readPayloads(source)) {
      if (!('payload' in item) || validate(item.payload).errors.length > 0) continue
      const { scenario, summary } = generate(item.payload as HealthDetailPayload, { copy, locale: 'en-US' })
      const name = source.name.slice(folder.length + 1)
      const known = reached.get(scenario)
      const isOwn = name === `${scenario}.json`
      reached.set(scenario, {
        fixtures: isOwn ? [name, ...(known?.fixtures ?? [])] : [...(known?.fixtures ?? []), name],
        example: isOwn || known === undefined ? summary : known.example,
      })
    }
  }
  return reached
}

/** The rows for people, one block each. */
export function renderScenarios(rows: readonly ScenarioRow[], paint: Paint): string {
  const blocks = rows.map(({ id, statuses, severities, ruleIds, condition, fixtures, example }) => {
    const status = statuses.map((name, index) => `${name} (severity ${severities[index]})`).join(' or ')
    const [first, ...others] = fixtures
    const reached =
      first === undefined
        ? paint('red', 'no shipped fixture reaches it')
        : `${first}${others.length > 0 ? ` and ${count(others.length, 'more', 'more')}` : ''}`
    return [
      paint('bold', id),
      ...(example === undefined ? [] : [`  says     ${example}`]),
      `  when     ${condition}`,
      `  status   ${status}`,
      `  rule     ${ruleIds.join(', ')}`,
      `  fixture  ${reached}`,
      '',
    ].join('\n')
  })
  const missing = rows.filter(({ fixtures }) => fixtures.length === 0).length
  const end = missing === 0 ? 'each is reached by a shipped fixture' : `${missing} without a fixture`
  return `${blocks.join('\n')}\n${count(rows.length, 'scenario')}, ${end}.\n`
}
