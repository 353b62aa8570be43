import { SvcError } from '../../errors.js'
import { payloadSchema, rules } from '../../insight/index.js'
import type { Rule } from '../../insight/types.js'
import { programName } from '../../runtime/program-name.js'
import { createPaint, type Paint } from '../../runtime/style.js'
import { findNearest, listWords } from '../../text/spelling.js'
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

/** Prints one rule. Throws `not_found` for an unknown ID. */
export function printRule(id: string, json: boolean): CommandResult {
  const rule = getRule(id)
  process.stdout.write(json ? `${JSON.stringify(rule)}\n` : renderRule(rule, createPaint(process.stdout)))
  return 0
}

/** Returns a rule. Throws `not_found`, with a suggestion. */
export function getRule(id: string): Rule {
  const rule = rules.find((candidate) => candidate.id === id)
  if (rule !== undefined) return rule
  const similar = listSimilar(id)
  const hint = similar.length === 0 ? '' : ` Did you mean ${listWords(similar, 'or')}?`
  throw new SvcError(
    'not_found',
    `there is no rule ${id}.${hint} "${programName()} validate --list-rules" lists them all.`,
  )
}

const similarAtMost = 3

/** Returns the nearest ID, or else the first that contain the text. */
function listSimilar(text: string): readonly string[] {
  const ids = rules.map(({ id }) => id)
  const nearest = findNearest(text, ids)
  if (nearest !== undefined) return [nearest]
  return text.length < 3 ? [] : ids.filter((id) => id.includes(text.toLowerCase())).slice(0, similarAtMost)
}

/** Renders a rule for people: its requirement, its section in the contract, a good and a bad example. */
function renderRule({ id, severity, section, sentence, good, bad }: Rule, paint: Paint): string {
  return [
    `${paint('bold', id)} (${severity}; health detail contract, ${section})`,
    '',
    `  ${sentence}`,
    '',
    paint('green', '  Good'),
    indent(good),
    paint('red', severity === 'error' ? '  Bad' : '  Odd'),
    indent(bad),
    '',
  ].join('\n')
}

/** Renders all rules, one line each. */
function renderRules(list: readonly Rule[], paint: Paint): string {
  const width = Math.max(...list.map(({ id }) => id.length))
  return list
    .map(({ id, severity, section, sentence }) => {
      const mark = severity === 'error' ? paint('red', 'error  ') : paint('yellow', 'warning')
      return `${id.padEnd(width)}  ${mark}  ${section.padEnd(7)}  ${sentence}\n`
    })
    .join('')
}

function indent(example: unknown): string {
  const text = typeof example === 'string' ? example : JSON.stringify(example, undefined, 2)
  return `${text}`
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}
