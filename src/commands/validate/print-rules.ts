import { payloadSchema, rules } from '../../insight/index.js'
import { renderRule, renderRules } from '../../reports/rules.js'
import { createPaint } from '../../runtime/style.js'
import { findNearest, listWords } from '../../text/spelling.js'
import { toPrintable } from '../../text/words.js'
import type { CommandResult } from '../command.js'

/** Prints the JSON Schema of the structural rules. */
export function printSchema(): CommandResult {
  process.stdout.write(`${JSON.stringify(payloadSchema, undefined, 2)}\n`)
  return 0
}

/** Prints all rules. */
export function printRules(json: boolean): CommandResult {
  process.stdout.write(json ? `${JSON.stringify({ rules })}\n` : renderRules(rules, createPaint(process.stdout)))
  return 0
}

/** Prints one rule. Returns 2 for an unknown ID, with a suggestion. */
export function printRule(id: string, json: boolean): CommandResult {
  const rule = rules.find((candidate) => candidate.id === id)
  if (rule === undefined) {
    const similar = listSimilar(id)
    const hint = similar.length === 0 ? '' : ` Did you mean ${listWords(similar, 'or')}?`
    process.stderr.write(
      `svc: there is no rule ${toPrintable(id)}.${hint} "svc validate --list-rules" lists them all.\n`,
    )
    return 2
  }
  process.stdout.write(json ? `${JSON.stringify(rule)}\n` : renderRule(rule, createPaint(process.stdout)))
  return 0
}

const similarAtMost = 3

/** Returns the nearest ID, or else the first that contain the text. */
function listSimilar(text: string): readonly string[] {
  const ids = rules.map(({ id }) => id)
  const nearest = findNearest(text, ids)
  if (nearest !== undefined) return [nearest]
  return text.length < 3 ? [] : ids.filter((id) => id.includes(text.toLowerCase())).slice(0, similarAtMost)
}
