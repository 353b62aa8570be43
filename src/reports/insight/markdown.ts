import type { Explanation } from '../../insight/types.js'
import { toPrintable } from '../../text/words.js'
import { type CreateRenderer, describeClause, titleOf } from './renderer.js'

/** Writes Markdown for a pull request: a section per payload, a paragraph per language. */
export const createMarkdownRenderer: CreateRenderer = (write) => ({
  payload: (rendered) => {
    const [{ scenario, status, generation }] = rendered.insights
    write(`## ${escapeMarkdown(titleOf(rendered))}\n\n\`${scenario}\` · ${status} · \`${generation.ruleId}\`\n\n`)
    for (const { locale, summary } of rendered.insights) write(`**${locale}** — ${escapeMarkdown(summary)}\n\n`)
    const [explanation] = rendered.explanations ?? []
    if (explanation !== undefined) write(renderExplanation(explanation))
  },
  invalid: (result) => {
    write(`## ${escapeMarkdown(titleOf(result))}\n\nNot a valid payload, so it has no text:\n\n`)
    for (const { line, column, message, rule } of result.errors) {
      write(`- ${line}:${column} ${escapeMarkdown(message)} (\`${rule}\`)\n`)
    }
    write('\n')
  },
  end: () => undefined,
})

function renderExplanation({ scenario, condition, status, statusReason, facts, clauses }: Explanation): string {
  const factRows = facts.map(
    ({ name, value, path }) =>
      `| ${escapeMarkdown(name)} | ${escapeMarkdown(value)} | ${path === undefined ? '' : `\`${path}\``} |\n`,
  )
  const clauseRows = clauses.map(
    (part) => `- ${part.shown ? '[x]' : '[ ]'} ${part.name}: ${escapeMarkdown(describeClause(part))}\n`,
  )
  return (
    `Why: \`${scenario}\` is said for: ${escapeMarkdown(condition)}. ` +
    `The status is ${escapeMarkdown(`${status}: ${statusReason}`)}.\n\n` +
    `| Fact | Value | Where |\n| --- | --- | --- |\n${factRows.join('')}\n${clauseRows.join('')}\n`
  )
}

/** Escapes markup and line breaks: a pet may be called `*` or `<b>`. */
export function escapeMarkdown(text: string): string {
  return toPrintable(text).replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&')
}
