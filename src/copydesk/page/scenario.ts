import type { Explanation } from '../../insight/types.js'
import { escapeHtml } from '../../text/html.js'
import { renderChanges } from './changed-answers.js'
import type { ReviewExample, ReviewScenario, ReviewText } from './review.js'
import {
  capitalize,
  describeApproval,
  describeShared,
  localeNames,
  stateNames,
  statusNames,
  titleOf,
  writeDate,
} from './words.js'

/** Facts about all examples of the page: the number of each, and the label of the texts. */
export interface PageContext {
  readonly numberOf: (id: string) => number
  readonly ruleVersion: string
}

/** Renders a scenario: its condition and its examples. */
export function renderScenario({ condition, examples, id }: ReviewScenario, context: PageContext): string {
  return `<section class="scenario" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escapeHtml(capitalize(condition))} <code>${escapeHtml(id)}</code></h2>
${examples.map((example) => renderExample(example, context)).join('\n')}
</section>`
}

function renderExample(example: ReviewExample, { numberOf, ruleVersion }: PageContext): string {
  const { changes, facts, fixture, id, metric, petName, ruleId, severity, status, texts, window } = example
  const derived = changes.length > 0
  const number = numberOf(id)
  const approval = describeShared(example, ruleVersion)
  const isRelabelled = texts.some(({ since }) => since !== undefined)
  const states = [...new Set(texts.map(({ state }) => state)), ...(isRelabelled ? ['relabelled'] : [])].join(' ')
  return `<article class="example" id="e${number}" tabindex="-1" aria-labelledby="t${number}" data-metric="${metric}" data-window="${window}" data-status="${status}" data-show="${states}${derived ? ' derived' : ''}">
<div class="about">
<h3 id="t${number}">${escapeHtml(titleOf(example))} · <bdi>${escapeHtml(petName)}</bdi></h3>
${derived ? `<p class="derived">Derived: ${escapeHtml(changes.join(', '))}</p>\n` : ''}<p><b class="status ${status}">${statusNames[status]}</b> severity ${severity}</p>
${approval === undefined ? '' : `<p>${escapeHtml(approval)}</p>\n`}<p class="source">${derived ? 'from ' : ''}<code>${escapeHtml(fixture)}.json</code></p>
<details><summary>Facts used</summary>
<dl>${facts
    .map(describeFact)
    .map(({ name, value }) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('')}<dt>rule</dt><dd><code>${escapeHtml(ruleId)}</code></dd></dl>
</details>
</div>
${texts.map((text) => renderText(text, approval === undefined ? ruleVersion : undefined)).join('\n')}
</article>`
}

/** `ruleVersion` is undefined if the approval is shown with the example. */
function renderText(text: ReviewText, ruleVersion: string | undefined): string {
  const { changes, locale, since, state } = text
  const difference =
    changes === undefined
      ? ''
      : `\n<p class="changes" lang="${locale}" dir="auto"><span class="said" lang="en">Compared with the text signed off: </span>${renderChanges(changes)}</p>`
  const history =
    since === undefined
      ? ''
      : `\n<details><summary>Changed since ${escapeHtml(since.ruleVersion)}</summary><p class="changes" lang="${locale}" dir="auto">${renderChanges(since.changes)}</p></details>`
  return `<div class="text" data-locale="${locale}">
<p class="locale">${localeNames[locale]}</p>
<p class="words" lang="${locale}" dir="auto">${escapeHtml(text.text)}</p>${difference}${history}
<p class="sign ${state}">${escapeHtml(ruleVersion === undefined ? stateNames[state] : describeApproval(text, ruleVersion))}</p>
</div>`
}

type Fact = Explanation['facts'][number]

/** Describes a fact in the words of the review page, whose readers do not know the fields of a request. */
function describeFact({ name, path = '', value }: Fact): { readonly name: string; readonly value: string } {
  const words = factWords[path]
  return { name: words?.name ?? name, value: words?.value?.(value) ?? plainValues[value] ?? value }
}

const plainValues: Readonly<Record<string, string>> = {
  null: 'none yet',
  'none: no suppliedJudgment was sent': 'none',
}

const pages: Readonly<Record<string, string>> = {
  today_so_far: ', today so far',
  last_night: ', last night',
  selected_window: '',
}

const factors: Readonly<Record<string, string>> = {
  duration: 'short rest',
  interruptions: 'waking often',
  nightActivity: 'moving much',
  longestRestBlock: 'no long stretch of rest',
}

const factWords: Readonly<
  Record<string, { readonly name: string; readonly value?: (value: string) => string } | undefined>
> = {
  '/insightContext/mode': {
    name: 'page',
    value: (value) => {
      const [, window = '', date = '', mode = ''] = /^(\w+) from ([\d-]+), (\w+)$/.exec(value) ?? []
      return `${window === 'day' ? '' : `${window} from `}${writeDate(date)}${pages[mode] ?? ''}`
    },
  },
  '/insightContext/asOf': { name: 'seen on', value: writeDate },
  '/insightContext/observedThrough': {
    name: 'latest report at',
    value: (value) => `${Math.floor(Number(value) / 60)}:${String(Number(value) % 60).padStart(2, '0')}`,
  },
  '/suppliedJudgment/direction': {
    name: 'direction',
    value: (value) => ({ '-1': 'down', '0': 'neither', '1': 'up' })[value] ?? value,
  },
  '/suppliedJudgment/deteriorating': { name: 'counts as worse', value: () => 'no' },
  '/insightContext/comparison/restRatingFactors': {
    name: 'reasons for the rating',
    value: (value) =>
      value
        .split(', ')
        .map((factor) => factors[factor] ?? factor)
        .join(', '),
  },
}
