import { wrapAnsi } from 'fast-wrap-ansi'
import type { Explanation } from '../../insight/types.js'
import type { ShownInsight } from '../../payload-files/render-payloads.js'
import type { PayloadResult } from '../../payload-files/result.js'
import { toJsonText, toPrintable } from '../../text/words.js'
import { presentResult } from '../validation/json.js'
import { renderViolations } from '../validation/text.js'
import { createHtmlRenderer } from './html.js'
import { createMarkdownRenderer } from './markdown.js'
import { type CreateRenderer, describeClause, type RenderFormatOptions, titleOf } from './renderer.js'

/**
 * Writes one JSON document: a result per payload and language on a line each, and the invalid payloads as in `svc
 * validate`.
 */
const createJsonRenderer: CreateRenderer = (write) => {
  const invalid: PayloadResult[] = []
  let separator = '\n'
  write('{"results":[')
  return {
    payload: ({ source, index, variant, insights, explanations }) => {
      for (const [position, insight] of insights.entries()) {
        const { locale, scenario, status, severity, summary, generation } = insight
        const explanation = explanations?.[position]
        const result = { source, index, variant, locale, scenario, status, severity, summary, generation, explanation }
        write(`${separator}${toJsonText(result)}`)
        separator = ',\n'
      }
    },
    invalid: (result) => {
      invalid.push(result)
    },
    end: () => write(`\n],"invalid":${toJsonText(invalid.map((result) => presentResult(result)))}}\n`),
  }
}

/** Writes text for a terminal: file, scenario and status, then a paragraph per language. */
const createTextRenderer: CreateRenderer = (write, options) => {
  const { paint } = options
  return {
    payload: (rendered) => {
      const [{ scenario, status, generation }] = rendered.insights
      const tone = status === 'attention' ? 'yellow' : status === 'normal' ? 'green' : 'cyan'
      write(`${paint('bold', toPrintable(titleOf(rendered)))}\n`)
      write(`${scenario}  ${paint(tone, status)}  ${paint('dim', generation.ruleId)}\n\n`)
      for (const { locale, summary } of rendered.insights) {
        write(`  ${paint('dim', locale.padEnd(5))}  ${wrap(summary, '         ', options)}\n`)
      }
      if (rendered.explanations !== undefined) write(explainOne(rendered.insights, rendered.explanations, options))
      write('\n')
    },
    invalid: (result) => {
      write(
        `${paint('bold', toPrintable(titleOf(result)))}\n${paint('red', 'not a valid payload, so it has no text')}\n\n`,
      )
      write(`${renderViolations(result, paint)}\n`)
    },
    end: () => undefined,
  }
}

/** Renders one explanation, English if possible: explanations of other languages differ only in words. */
function explainOne(
  insights: readonly ShownInsight[],
  explanations: readonly Explanation[],
  options: RenderFormatOptions,
): string {
  const english = insights.findIndex(({ locale }) => locale === 'en-US')
  const index = Math.max(0, english)
  const explanation = explanations[index]
  return explanation === undefined ? '' : renderExplanation(explanation, insights[index]?.locale ?? '', options)
}

/** Renders the reason of a text: condition, status, facts with their JSON Pointers, clauses shown and left out. */
function renderExplanation(explanation: Explanation, locale: string, options: RenderFormatOptions): string {
  const { paint } = options
  const { scenario, condition, status, statusReason, facts, clauses } = explanation
  const factWidth = Math.max(0, ...facts.map(({ name }) => name.length))
  const valueWidth = Math.max(0, ...facts.map(({ value }) => value.length))
  const clauseWidth = Math.max(0, ...clauses.map(({ name }) => name.length))
  const indent = ' '.repeat(8 + clauseWidth)
  return [
    `\n  ${paint('bold', 'Why this sentence')}\n    ${wrap(`${scenario} is said for: ${condition}.`, '    ', options)}`,
    `    ${wrap(`The status is ${status}: ${statusReason}.`, '    ', options)}`,
    `\n  ${paint('bold', 'Facts used')}`,
    ...facts.map(({ name, value, path }) => {
      const place = path === undefined ? '' : `  ${paint('dim', path)}`
      return `    ${name.padEnd(factWidth)}  ${toPrintable(value).padEnd(valueWidth)}${place}`.trimEnd()
    }),
    `\n  ${paint('bold', `Parts of the text (${locale})`)}`,
    ...clauses.map((part) => {
      const mark = part.shown ? paint('green', '+') : paint('dim', '-')
      return `    ${mark} ${part.name.padEnd(clauseWidth)}  ${wrap(describeClause(part), indent, options)}`
    }),
    '',
  ].join('\n')
}

/** The minimum width to wrap at: narrower text is harder to read than long lines. */
const narrowest = 40

/** Makes a text printable and wraps it; continuation lines begin with `indent`. */
function wrap(text: string, indent: string, { columns }: RenderFormatOptions): string {
  const line = toPrintable(text)
  if (columns === undefined) return line
  const width = Math.max(narrowest, columns - indent.length)
  return wrapAnsi(line, width, { hard: true }).replaceAll('\n', `\n${indent}`)
}

/** Every format of `svc insight render`. */
export const renderFormats = {
  text: createTextRenderer,
  json: createJsonRenderer,
  markdown: createMarkdownRenderer,
  html: createHtmlRenderer,
} satisfies Record<string, CreateRenderer>

export type RenderFormatName = keyof typeof renderFormats
