import { createHash } from 'node:crypto'
import { reviewScript, reviewStyle } from '../../generated/review-assets.js'
import { locales, metrics, viewWindows } from '../../insight/types.js'
import { escapeHtml, escapeJson } from '../../text/html.js'
import type { SignedText } from '../signoff/signoff.js'
import { diffWords } from '../word-diff.js'
import { renderAnswers } from './answers.js'
import { renderChanges } from './changes.js'
import type { PageData } from './data.js'
import type { Review } from './review.js'
import { renderScenario } from './scenario.js'
import { localeNames, metricNames, statusNames, windowNames, writeDate } from './words.js'

/**
 * Renders the review as one self-contained page that works offline from disk and sends no request.
 * `madeOn` is a calendar date, such as 2026-10-14.
 */
export function renderReviewPage(review: Review, madeOn: string): string {
  const numbers = new Map(review.scenarios.flatMap(({ examples }) => examples).map(({ id }, index) => [id, index + 1]))
  const numberOf = (id: string) => numbers.get(id) ?? 0
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy()}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>Health insight texts, ${escapeHtml(review.ruleVersion)}</title>`,
    `<style>${reviewStyle}</style>`,
    '</head>',
    '<body>',
    '<a class="skip" href="#texts">Skip to the texts</a>',
    renderHead(review, numbers.size, madeOn),
    renderFilters(),
    '<main id="texts" tabindex="-1">',
    '<section id="orphans" hidden aria-labelledby="orphans-title"><h2 id="orphans-title">Comments on texts that this page does not show</h2><div></div></section>',
    '<p id="nothing" hidden>No text matches these filters. <button type="button" data-action="clear">Clear the filters</button></p>',
    renderAnswers(review, numberOf),
    ...review.scenarios.map((scenario) => renderScenario(scenario, { numberOf, ruleVersion: review.ruleVersion })),
    '</main>',
    '<p id="told" role="status"></p>',
    `<script type="application/json" id="data">${escapeJson(toData(review, numberOf))}</script>`,
    `<script>${reviewScript}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** Allows the style and script of the page by their hashes, and nothing else. */
function policy(): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    "default-src 'none'",
    `script-src ${hash(reviewScript)}`,
    `style-src ${hash(reviewStyle)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function renderHead(
  { changed, relabelled, ruleVersion, scenarios, states }: Review,
  examples: number,
  madeOn: string,
): string {
  const total = Object.values(states).reduce((sum, count) => sum + count, 0)
  const listed = changed.map((text) => renderWording(text, text.entry?.text ?? ''))
  const since = relabelled.map((text) => renderWording(text, text.entry?.before?.text ?? ''))
  return `<header>
<h1>Health insight texts</h1>
<p>${escapeHtml(ruleVersion)} · ${scenarios.length} sentences in ${examples} examples, each in ${locales.length} languages · page made on ${writeDate(madeOn)}</p>
<p>The examples use ${total} wordings: ${states.signed} signed off, ${states.changed} changed since, ${states.stale} whose English changed since, ${states.unsigned} never signed off.</p>
${renderWordings(`The ${listed.length} changed wordings as they are written`, listed)}
${renderWordings(`Wordings that ${escapeHtml(ruleVersion)} changed, next to those of the label before`, since)}
${help}
</header>`
}

function renderWording({ id, locale, text }: SignedText, before: string): string {
  return `<li><code>${escapeHtml(id)}</code> ${localeNames[locale]}: <span lang="${locale}">${renderChanges(diffWords(before, text, locale))}</span></li>`
}

function renderWordings(title: string, entries: readonly string[]): string {
  return entries.length === 0
    ? ''
    : `<details><summary>${title}</summary><ul class="wordings">${entries.join('\n')}</ul></details>`
}

const help = `<details>
<summary>How to use this page</summary>
<p>This page shows every sentence that the product can say, with each of its variants, in three languages side by side. The pets and numbers are fictional. “Derived” means that no sample file has exactly this case: it is a sample with the change named.</p>
<p>Choose <b>Comment</b> under a text to say what should change, in the whole sentence or in a part of it. Comments stay in this browser. <b>Save comments</b> writes them to a file to send to the team; <b>Open comments</b> reads such a file.</p>
<p>A text that differs from its last sign-off shows the difference: <del>removed</del><ins>added</ins>; one that this version changed has it under “Changed since”. The samples that differ from their sign-off come first, each with the wording that causes the difference.</p>
<table class="keys"><caption>Keys</caption>
<tr><th scope="row"><kbd>j</kbd> <kbd>k</kbd></th><td>next, previous example</td></tr>
<tr><th scope="row"><kbd>n</kbd> <kbd>p</kbd></th><td>next, previous sentence</td></tr>
<tr><th scope="row"><kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd></th><td>comment on the Chinese, English, Spanish text of this example</td></tr>
<tr><th scope="row"><kbd>/</kbd></th><td>search</td></tr>
<tr><th scope="row"><kbd>Esc</kbd></th><td>leave the search, close an empty comment</td></tr>
</table>
<p><label><input type="checkbox" id="keys" checked> Use these keys</label></p>
</details>`

type Options = readonly (readonly [value: string, label: string])[]

function renderFilters(): string {
  const names = <Key extends string>(keys: readonly Key[], labels: Readonly<Record<Key, string>>): Options =>
    keys.map((key) => [key, labels[key]])
  const statuses = names(['attention', 'normal', 'observation', 'insufficient_data'], statusNames)
  return `<form class="filters" role="search" aria-label="Filters" hidden>
<label class="search">Search <input type="search" id="q" name="q" autocomplete="off" spellcheck="false" placeholder="in any language"></label>
${renderSelect('show', 'Show', showOptions, 'Everything')}
${renderSelect('metric', 'Metric', names(metrics, metricNames), 'All')}
${renderSelect('window', 'Period', names(viewWindows, windowNames), 'All')}
${renderSelect('status', 'Status', statuses, 'All')}
<button type="button" data-action="clear">Clear</button>
<output id="shown" aria-live="polite"></output>
<span class="tools">
<label>Your name <input id="by" autocomplete="name" size="12"></label>
<button type="button" data-action="save">Save comments <span id="comments">(0)</span></button>
<button type="button" data-action="open">Open comments</button>
<input type="file" id="file" accept="application/json,.json" hidden aria-label="File of comments">
</span>
</form>`
}

const showOptions: Options = [
  ['changed', 'Changed since sign-off'],
  ['relabelled', 'Changed with this version'],
  ['stale', 'English changed since'],
  ['unsigned', 'Never signed off'],
  ['derived', 'Derived examples'],
  ['commented', 'With comments'],
]

function renderSelect(name: string, label: string, options: Options, all: string): string {
  const rows = options.map(([value, text]) => `<option value="${value}">${text}</option>`)
  return `<label>${label} <select id="${name}" name="${name}"><option value="">${all}</option>${rows.join('')}</select></label>`
}

function toData({ patterns, ruleVersion, scenarios }: Review, numberOf: (id: string) => number): PageData {
  const rows = scenarios.flatMap(({ examples }) =>
    examples.map(({ id, texts }) => {
      const parts = texts.map((text) => text.parts.map((part) => [part.id, part.text] as const))
      return [numberOf(id), [id, ...parts] as const] as const
    }),
  )
  return { ruleVersion, patterns, examples: Object.fromEntries(rows) }
}
