import { wrapAnsi } from 'fast-wrap-ansi'
import type { Explanation } from '../../../insight/types.js'
import { renderViolations } from '../../formats/text.js'
import { type CreateRenderer, type RenderFormatOptions, titleOf } from './index.js'

/** For reviewers on a terminal: file, scenario and status, then a paragraph a language. */
export const createTextRenderer: CreateRenderer = (write, options) => {
  const { paint } = options
  return {
    payload: (rendered) => {
      const [{ scenario, status, generation }] = rendered.insights
      const tone = status === 'attention' ? 'yellow' : status === 'normal' ? 'green' : 'cyan'
      write(`${paint('bold', titleOf(rendered))}\n`)
      write(`${scenario}  ${paint(tone, status)}  ${paint('dim', generation.ruleId)}\n\n`)
      for (const { locale, summary } of rendered.insights) {
        write(`  ${paint('dim', locale.padEnd(5))}  ${wrap(summary, '         ', options)}\n`)
      }
      const [explanation] = rendered.explanations ?? []
      if (explanation !== undefined) write(renderExplanation(explanation, options))
      write('\n')
    },
    invalid: (result) => {
      write(`${paint('bold', titleOf(result))}\n${paint('red', 'not a valid payload, so it has no text')}\n\n`)
      write(`${renderViolations(result, paint)}\n`)
    },
    end: () => undefined,
  }
}

/** Why a text is what it is: condition, facts with their JSON Pointers, clauses shown and left out. */
function renderExplanation({ scenario, condition, facts, clauses }: Explanation, options: RenderFormatOptions): string {
  const { paint } = options
  const factWidth = Math.max(0, ...facts.map(({ name }) => name.length))
  const clauseWidth = Math.max(0, ...clauses.map(({ name }) => name.length))
  const indent = ' '.repeat(8 + clauseWidth)
  return [
    `\n  ${paint('bold', 'Why this sentence')}\n    ${wrap(`${scenario} is said for: ${condition}.`, '    ', options)}`,
    `\n  ${paint('bold', 'Facts used')}`,
    ...facts.map(({ name, value, path }) => {
      return `    ${name.padEnd(factWidth)}  ${value}${path === undefined ? '' : `  ${paint('dim', path)}`}`
    }),
    `\n  ${paint('bold', 'Parts of the text')}`,
    ...clauses.map(({ name, shown, reason }) => {
      const mark = shown ? paint('green', '+') : paint('dim', '-')
      return `    ${mark} ${name.padEnd(clauseWidth)}  ${wrap(reason, indent, options)}`
    }),
    '',
  ].join('\n')
}

/** The width below which wrapping does more harm than good. */
const narrowest = 40

function wrap(text: string, indent: string, { columns }: RenderFormatOptions): string {
  if (columns === undefined) return text
  const width = Math.max(narrowest, columns - indent.length)
  return wrapAnsi(text, width, { hard: true }).replaceAll('\n', `\n${indent}`)
}
