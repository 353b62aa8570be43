import type { ScenarioRow } from '../copydesk/scenarios.js'
import type { Paint } from '../runtime/style.js'
import { count } from '../text/words.js'

/** Renders one block of lines per scenario. */
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
