import { createHash } from 'node:crypto'
import { reviewScript, reviewStyle } from '../../generated/review-assets.js'
import { locales, metrics, viewWindows } from '../../insight/types.js'
import { escapeHtml, escapeJson } from '../../text/html.js'
import type { SignedText } from '../signoff/signoff.js'
import { diffWords } from '../word-diff.js'
import { renderAnswers } from './answers.js'
import { renderChanges } from './changes.js'
import { renderContents } from './contents.js'
import type { PageData, ServedData } from './data.js'
import type { Review } from './review.js'
import { renderScenario } from './scenario.js'
import { renderApproval, renderHelp } from './served.js'
import { localeNames, metricNames, statusNames, windowNames, writeDate } from './words.js'

/**
 * Renders the review as one self-contained page. From disk it works offline and sends no request; `served` makes it the
 * page of a program, which keeps what is typed, edits texts and approves them. `madeOn` is a calendar date, such as
 * 2026-10-14.
 */
export function renderReviewPage(review: Review, madeOn: string, served?: ServedData): string {
  const numbers = new Map(review.scenarios.flatMap(({ examples }) => examples).map(({ id }, index) => [id, index + 1]))
  const numberOf = (id: string) => numbers.get(id) ?? 0
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy(served !== undefined)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>Health insight texts, ${escapeHtml(review.ruleVersion)}</title>`,
    `<style>${reviewStyle}</style>`,
    '</head>',
    '<body>',
    '<a class="skip" href="#texts">Skip to the texts</a>',
    renderContents(review.scenarios),
    '<div class="page">',
    renderHead(review, numbers.size, madeOn, served),
    renderFilters(served, review),
    '<main id="texts" tabindex="-1">',
    served === undefined
      ? ''
      : '<section id="orphans" hidden aria-labelledby="orphans-title"><h2 id="orphans-title">Comments on texts that this page does not show</h2><div></div></section>',
    '<p id="nothing" hidden>No text matches these filters. <button type="button" data-action="clear">Clear the filters</button></p>',
    renderAnswers(review, numberOf),
    ...review.scenarios.map((scenario) => renderScenario(scenario, { numberOf, ruleVersion: review.ruleVersion })),
    '</main>',
    '</div>',
    served === undefined ? '' : renderApproval(),
    '<p id="told" role="status"></p>',
    `<script type="application/json" id="data">${escapeJson({ ...toData(review, numberOf), ...(served !== undefined && { served }) })}</script>`,
    `<script>${reviewScript}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** Allows the style and script of the page by their hashes, requests to its program if it has one, and nothing else. */
function policy(isServed: boolean): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    "default-src 'none'",
    `script-src ${hash(reviewScript)}`,
    `style-src ${hash(reviewStyle)}`,
    ...(isServed ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function renderHead(
  { changed, relabelled, ruleVersion, scenarios, states }: Review,
  examples: number,
  madeOn: string,
  served: ServedData | undefined,
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
${renderHelp(served)}
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

type SelectOptions = readonly (readonly [value: string, label: string])[]

function renderFilters(served: ServedData | undefined, { states: { signed, ...others } }: Review): string {
  // Once all is signed, there is nothing to approve.
  const approve = Object.values(others).some((count) => count > 0) ? ' class="primary"' : ''
  const names = <Key extends string>(keys: readonly Key[], labels: Readonly<Record<Key, string>>): SelectOptions =>
    keys.map((key) => [key, labels[key]])
  const statuses = names(['attention', 'normal', 'observation', 'insufficient_data'], statusNames)
  return `<form class="filters" role="search" aria-label="Filters" hidden>
<label class="search">Search <input type="search" id="q" name="q" autocomplete="off" spellcheck="false" placeholder="in any language"></label>
${renderSelect('languages', 'Languages', languageOptions, 'All three')}
${renderSelect('show', 'Show', served === undefined ? showOptions : [...showOptions, commentedOption], 'Everything')}
${renderSelect('metric', 'Metric', names(metrics, metricNames), 'All')}
${renderSelect('window', 'Period', names(viewWindows, windowNames), 'All')}
${renderSelect('status', 'Status', statuses, 'All')}
<button type="button" data-action="clear">Clear</button>
<output id="shown" aria-live="polite"></output>
${served === undefined ? '' : renderTools(approve)}
</form>`
}

const renderTools = (approve: string) => `<span class="tools">
<label>Your name <input id="by" autocomplete="name" size="12" maxlength="80"></label>
<button type="button"${approve} data-action="approve">Approve…</button>
<output id="kept"></output>
</span>`

/** The language that a reader reviews; translations are read next to the English. */
const languageOptions: SelectOptions = [
  ['zh-CN', 'Chinese, with English'],
  ['en-US', 'English'],
  ['es', 'Spanish, with English'],
]

const showOptions: SelectOptions = [
  ['unread', 'Not read yet'],
  ['changed', 'Changed since sign-off'],
  ['relabelled', 'Changed with this version'],
  ['stale', 'English changed since'],
  ['unsigned', 'Never signed off'],
  ['derived', 'Derived examples'],
]

const commentedOption = ['commented', 'With comments'] as const

function renderSelect(name: string, label: string, options: SelectOptions, all: string): string {
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
