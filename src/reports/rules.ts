import type { Rule } from '../insight/types.js'
import { type Paint, plain } from '../runtime/style.js'

/** Renders a rule for people: its requirement, its section in the contract, a good and a bad example. */
export function renderRule({ id, severity, section, sentence, good, bad }: Rule, paint: Paint = plain): string {
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
export function renderRules(list: readonly Rule[], paint: Paint = plain): string {
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
