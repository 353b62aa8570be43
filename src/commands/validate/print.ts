import { payloadSchema, rules } from '../../insight/index.js'
import { findNearest } from '../../spelling.js'
import type { CommandResult } from '../command.js'
import { createPaint } from '../output/style.js'
import { toPrintable } from '../output/words.js'
import { renderRule, renderRules } from './rules.js'

/** Prints the JSON Schema of the structural part. */
export function printSchema(): CommandResult {
  process.stdout.write(`${JSON.stringify(payloadSchema, undefined, 2)}\n`)
  return 0
}

/** Prints all rules. */
export function printRules(json: boolean): CommandResult {
  process.stdout.write(json ? `${JSON.stringify({ rules })}\n` : renderRules(rules, createPaint(process.stdout)))
  return 0
}

/** Prints one rule; an unknown name answers 2 with the name that was probably meant. */
export function printRule(id: string, json: boolean): CommandResult {
  const rule = rules.find((candidate) => candidate.id === id)
  if (rule === undefined) {
    const nearest = findNearest(
      id,
      rules.map((candidate) => candidate.id),
    )
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
    process.stderr.write(
      `svc: there is no rule ${toPrintable(id)}.${hint} "svc validate --list-rules" lists them all.\n`,
    )
    return 2
  }
  process.stdout.write(json ? `${JSON.stringify(rule)}\n` : renderRule(rule, createPaint(process.stdout)))
  return 0
}
