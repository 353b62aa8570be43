import { loadInsightCopy } from '../../catalog/catalog.js'
import { readFixtures } from '../../copydesk/fixtures.js'
import { groupByScenario, listScenarios } from '../../copydesk/scenarios.js'
import { renderScenarios } from '../../reports/scenario-lines.js'
import { createPaint } from '../../runtime/style.js'
import { toJsonText } from '../../text/words.js'
import type { CommandResult } from '../command.js'

/** `svc insight scenarios`: prints every scenario with the shipped fixtures that reach it. */
export async function runScenarios(json: boolean): Promise<CommandResult> {
  const rows = listScenarios(groupByScenario(await readFixtures(), await loadInsightCopy()))
  const text = json ? `${toJsonText({ scenarios: rows })}\n` : renderScenarios(rows, createPaint(process.stdout))
  process.stdout.write(text)
  return 0
}
