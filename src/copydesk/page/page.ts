import { createHash } from 'node:crypto'
import { reviewScript, reviewStyle } from '../../generated/review-assets.js'
import { locales, metrics, viewWindows } from '../../insight/types.js'
import { escapeHtml, escapeJson } from '../../text/html.js'
import type { SignedText } from '../signoff/signoff.js'
import { diffWords, type WordChange } from '../word-diff.js'
import type { PageData, ServedData } from './data.js'
import type { Review, ReviewScenario } from './review.js'
import { listFacts, renderChanges, renderScenario } from './scenario.js'
import { capitalize, localeNames, metricNames, renderDates, statusNames, windowNames } from './words.js'

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
    '<noscript><p>Without scripts, this page shows one example for each wording.</p></noscript>',
    '<p id="nothing" hidden>No text matches these filters. <button type="button" data-action="clear">Clear the filters</button> <button type="button" data-action="all">Search all examples</button></p>',
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
  { changed, dates, native, relabelled, ruleVersion, scenarios, states }: Review,
  examples: number,
  madeOn: string,
  served: ServedData | undefined,
): string {
  const total = Object.values(states).reduce((sum, count) => sum + count, 0)
  const listed = changed.map((text) => renderWording(text, compare(text, text.entry)))
  const since = relabelled.map((text) => renderWording(text, compare(text, text.entry?.before)))
  const formats = dates.map(({ changes, locale }) => renderWording({ id: 'dates and times', locale }, changes))
  return `<header>
<h1>Health insight texts</h1>
<p>${escapeHtml(ruleVersion)} · ${scenarios.length} sentences in ${examples} examples, each in ${locales.length} languages · page made on ${renderDates(madeOn)}</p>
<p>The examples use ${total} wordings: ${native} signed off by native readers, ${states.signed - native} edited, with no native approval yet, ${states.changed} changed since, ${states.stale} whose English changed since, ${states.unsigned} never signed off.</p>
${renderWordings(`The ${listed.length} changed wordings as they are written`, listed)}
${renderWordings(`Wordings that ${escapeHtml(ruleVersion)} changed, next to those of the label before`, since)}
${renderWordings('The format of dates and times differs from the sign-off', formats)}
${renderHelp(served)}
${served === undefined ? '' : renderStory()}
</header>`
}

const compare = ({ locale, text }: SignedText, former: { readonly text: string } | undefined) =>
  diffWords(former?.text ?? '', text, locale)

function renderWording({ id, locale }: Pick<SignedText, 'id' | 'locale'>, changes: readonly WordChange[]): string {
  return `<li><code>${escapeHtml(id)}</code> ${localeNames[locale]}: <span lang="${locale}">${renderChanges(changes)}</span></li>`
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
  const statuses = listOptions(['attention', 'normal', 'observation', 'insufficient_data'], statusNames)
  return `<form class="filters" role="search" aria-label="Filters" hidden>
<label><input type="checkbox" id="brief" checked> One per wording</label>
<label class="search">Search <input type="search" id="q" name="q" autocomplete="off" spellcheck="false" placeholder="in any language"></label>
${renderSelect('languages', 'Languages', languageOptions, 'All three')}
${renderSelect('show', 'Show', served === undefined ? showOptions : [...showOptions, commentedOption], 'Everything')}
${renderSelect('metric', 'Metric', listOptions(metrics, metricNames), 'All')}
${renderSelect('window', 'Period', listOptions(viewWindows, windowNames), 'All')}
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
  ['edited', 'No native approval yet'],
  ['derived', 'Derived examples'],
]

const commentedOption = ['commented', 'With comments'] as const

function renderSelect(name: string, label: string, options: SelectOptions, all: string): string {
  return `<label>${label} <select id="${name}" name="${name}">${renderOptions([['', all], ...options])}</select></label>`
}

const renderOptions = (options: SelectOptions) =>
  options.map(([value, text]) => `<option value="${value}">${text}</option>`).join('')

const listOptions = <Key extends string>(keys: readonly Key[], labels: Readonly<Record<Key, string>>): SelectOptions =>
  keys.map((key) => [key, labels[key]])

function toData({ patterns, scenarios }: Review, numberOf: (id: string) => number): PageData {
  const rows = scenarios.flatMap(({ examples }) =>
    examples.map((example) => {
      const { id, texts } = example
      const parts = texts.map((text) => text.parts.map((part) => [part.id, part.text] as const))
      return [numberOf(id), [id, listFacts(example), ...parts] as const] as const
    }),
  )
  return { patterns, examples: Object.fromEntries(rows) }
}

/** Renders the list of the sentences, with what was read of each; the script of the page counts. */
function renderContents(scenarios: readonly ReviewScenario[]): string {
  const rows = scenarios.map(
    ({ condition, id }) =>
      `<li><a href="#${id}" data-scenario="${id}">${escapeHtml(capitalize(condition))} <span class="count"></span></a></li>`,
  )
  return `<nav class="contents" aria-label="Contents">
<details open>
<summary class="contents-title">Contents <output id="read-count" aria-live="off"></output></summary>
<progress id="read" value="0" max="1" aria-label="Texts read"></progress>
<ol>${rows.join('\n')}</ol>
</details>
</nav>`
}

/** Renders the instructions, for a page from disk or for one that a program serves. */
function renderHelp(served: ServedData | undefined): string {
  const kept =
    served === undefined
      ? '<p>This page is for reading. To comment, edit and approve, and to read the texts of one pet day by day, run <code>svc insight review --serve</code> in a checkout of the project.</p>'
      : `<p>Choose <b>Comment</b> under a text to say what should change; words that you select before are quoted. Choose <b>Edit</b> to change the text: you see at once what each example says then. A draft changes nothing until you save it to the catalog. <b>Approve</b> shows every change and signs it with your name.</p>
<p>Everything you type is saved as you type it, also if the browser or the program ends. Comments are in <code>${escapeHtml(served.commentFile)}</code>.</p>`
  return `<details>
<summary>How to use this page</summary>
<p>This page shows every sentence that the product can say in three languages side by side. It opens with one example for each wording; without <b>One per wording</b>, it shows each variant. The pets and numbers are fictional. “Derived” means that no sample file has exactly this case: it is a sample with the change named.</p>
<p>Under <b>Languages</b>, choose the one that you review. Tick <b>Read</b> under each text that you have read: the list of contents counts them, and a text that changes loses its tick.</p>
${kept}
<p>A text that differs from its last sign-off shows the difference: <del>removed</del><ins>added</ins>; one that this version changed has it under “Changed since”. <b>Show</b> finds the texts that differ from their sign-off; each names the wordings that cause the difference.</p>
<table class="keys"><caption>Keys</caption>
<tr><th scope="row"><kbd>j</kbd> <kbd>k</kbd></th><td>next, previous example</td></tr>
<tr><th scope="row"><kbd>n</kbd> <kbd>p</kbd></th><td>next, previous sentence</td></tr>
<tr><th scope="row"><kbd>x</kbd></th><td>mark this example as read, and go to the next</td></tr>
${served === undefined ? '' : '<tr><th scope="row"><kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd></th><td>comment on the Chinese, English, Spanish text of this example</td></tr>'}
<tr><th scope="row"><kbd>/</kbd></th><td>search</td></tr>
<tr><th scope="row"><kbd>Esc</kbd></th><td>leave the search${served === undefined ? '' : ', close an empty comment'}</td></tr>
</table>
<p><label><input type="checkbox" id="keys" checked> Use these keys</label></p>
</details>`
}

/** Renders the form that asks for the story of one pet; the script of the page shows it. */
function renderStory(): string {
  const languages = renderOptions(listOptions(['en-US', 'es', 'zh-CN'], localeNames))
  const only = renderOptions([['', 'All'], ...listOptions(metrics, metricNames)])
  return `<details id="story">
<summary>Story of one pet</summary>
<p>This shows the texts that the owner of one pet gets, in order of time: each morning the last night and the day before, on Mondays the week, on the first of a month the month. Read it to find what repeats and what contradicts itself. The same name and number give the same pet.</p>
<form id="story-form">
<label>Name of the pet <input name="pet" value="Luna" required maxlength="40" size="10"></label>
<label>Species <select name="species"><option value="dog">Dog</option><option value="cat">Cat</option></select></label>
<label>Number of the pet <input name="seed" type="number" value="7" min="0" max="2147483648" required></label>
<label>Days <input name="days" type="number" value="90" min="2" max="366" required></label>
<label>Language <select name="locale">${languages}</select></label>
<label>Metric <select name="metric">${only}</select></label>
<button type="submit" class="primary">Show the story</button>
</form>
<p id="story-told" role="status"></p>
<div id="story-texts"></div>
</details>`
}

/** Renders the dialog in which a reviewer approves; the script of the page fills in what changed. */
function renderApproval(): string {
  const boxes = locales.map(
    (locale) => `<label><input type="checkbox" name="locale" value="${locale}"> ${localeNames[locale]}</label>`,
  )
  return `<dialog id="approval" aria-labelledby="approval-title">
<form method="dialog">
<h2 id="approval-title">Approve</h2>
<fieldset><legend>Languages that you approve</legend>${boxes.join(' ')}</fieldset>
<div id="signable" tabindex="0" role="region" aria-label="Changes to approve" aria-live="polite"></div>
<label><input type="checkbox" name="isNative"> I read these languages at native level, and approve also what no native reader has approved yet</label>
<div class="signature">
<label>Your name <input name="by" autocomplete="name" maxlength="80" required></label>
<label hidden>New label of the changed texts <input name="label" spellcheck="false"></label>
</div>
<p id="refused" role="alert"></p>
<p class="actions"><button type="submit" class="primary" id="sign">Approve</button> <button type="button" data-action="close">Cancel</button></p>
</form>
</dialog>`
}
