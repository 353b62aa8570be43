import type { Explanation } from '../../insight/types.js'
import { escapeHtml as escapeMarkup } from '../../text/html.js'
import { toPrintable } from '../../text/words.js'
import { type CreateRenderer, describeClause, titleOf } from './renderer.js'

/** Writes a self-contained page with the languages in columns, for a light or dark screen and for print. */
export const createHtmlRenderer: CreateRenderer = (write) => {
  write(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Health insight texts</title>
<style>${style}</style>
</head>
<body>
<h1>Health insight texts</h1>
`)
  return {
    payload: (rendered) => {
      const [{ scenario, status, generation }] = rendered.insights
      const [explanation] = rendered.explanations ?? []
      const texts = rendered.insights.map(
        ({ locale, summary }) =>
          `<div><h3>${locale}</h3><p lang="${locale}" dir="auto">${escapeHtml(summary)}</p></div>`,
      )
      write(
        `<article>\n<h2>${escapeHtml(scenario)} <span class="${status}">${status.replaceAll('_', ' ')}</span></h2>\n` +
          `<p class="from">${escapeHtml(titleOf(rendered))} · ${escapeHtml(generation.ruleId)}</p>\n` +
          `<div class="texts">\n${texts.join('\n')}\n</div>\n` +
          `${explanation === undefined ? '' : renderExplanation(explanation)}</article>\n`,
      )
    },
    invalid: (result) => {
      const rows = result.errors.map(
        ({ line, column, message, rule }) =>
          `<li>${line}:${column} ${escapeHtml(message)} <code>${escapeHtml(rule)}</code></li>`,
      )
      write(
        `<article>\n<h2>${escapeHtml(titleOf(result))} <span class="attention">not valid</span></h2>\n` +
          `<ul>\n${rows.join('\n')}\n</ul>\n</article>\n`,
      )
    },
    end: () => write('</body>\n</html>\n'),
  }
}

function renderExplanation({ condition, status, statusReason, facts, clauses }: Explanation): string {
  const factRows = facts.map(
    ({ name, value, path }) =>
      `<tr><td>${escapeHtml(name)}</td><td>${escapeHtml(value)}</td><td><code>${escapeHtml(path ?? '')}</code></td></tr>`,
  )
  const clauseRows = clauses.map(
    (part) =>
      `<tr class="${part.shown ? 'shown' : 'omitted'}"><td>${part.shown ? '+' : '−'} ${escapeHtml(part.name)}</td>` +
      `<td colspan="2">${escapeHtml(describeClause(part))}</td></tr>`,
  )
  return (
    `<details open>\n<summary>Why this sentence: ${escapeHtml(condition)}</summary>\n` +
    `<p>${escapeHtml(`The status is ${status}: ${statusReason}.`)}</p>\n` +
    `<table>\n${factRows.join('\n')}\n${clauseRows.join('\n')}\n</table>\n</details>\n`
  )
}

function escapeHtml(text: string): string {
  return escapeMarkup(toPrintable(text))
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d9d9de, #3c3c44); --soft: light-dark(#5f6068, #a2a3ad); }
body { font: 16px/1.55 system-ui, "Noto Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
h2 { font-size: 1rem; margin: 0; }
h3 { color: var(--soft); font-size: .75rem; font-weight: 600; margin: 0; }
article { border-top: 1px solid var(--line); break-inside: avoid; padding: 1rem 0; }
.from, details { color: var(--soft); font-size: .85rem; margin: .2rem 0 .8rem; }
.texts { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); }
.texts p { margin: .2rem 0; }
h2 span { border: 1px solid currentColor; border-radius: 1em; font-size: .75rem; font-weight: 600; padding: .1em .7em; }
.attention { color: light-dark(#a34a00, #ffb066); }
.normal { color: light-dark(#0b6b35, #6fdc9b); }
.observation { color: light-dark(#1f5aa8, #8bbcff); }
.insufficient_data { color: var(--soft); }
table { border-collapse: collapse; margin-top: .5rem; }
td { border-top: 1px solid var(--line); padding: .15rem .8rem .15rem 0; vertical-align: top; }
.shown td:first-child { font-weight: 600; }
@media print { body { font-size: 10pt; margin: 0; max-width: none; } .texts { grid-template-columns: repeat(3, 1fr); } }
`
