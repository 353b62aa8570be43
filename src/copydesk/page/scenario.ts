import { escapeHtml } from '../../text/html.js'
import type { WordChange } from '../word-diff.js'
import type { PageFacts } from './data.js'
import type { ReviewExample, ReviewScenario, ReviewText } from './review.js'
import { capitalize, describeApproval, localeNames, renderDates, statusNames, titleOf } from './words.js'

/** Facts about all examples of the page: the number of each, and the label of the texts. */
export interface PageContext {
  readonly numberOf: (id: string) => number
  readonly ruleVersion: string
}

/** Renders a scenario: its condition and its examples. The script of the page takes those in the template on demand. */
export function renderScenario({ condition, examples, id }: ReviewScenario, context: PageContext): string {
  const [first = '', others = ''] = [true, false].map((isFirst) =>
    examples
      .filter((example) => example.isFirst === isFirst)
      .map((example) => renderExample(example, context))
      .join('\n'),
  )
  return `<section class="scenario" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escapeHtml(capitalize(condition))} <code>${escapeHtml(id)}</code></h2>
${first}
<template>${others}</template>
</section>`
}

function renderExample(example: ReviewExample, { numberOf, ruleVersion }: PageContext): string {
  const { changes, fixture, id, metric, petName, severity, status, texts, window } = example
  const derived = changes.length > 0
  const number = numberOf(id)
  const marks = new Set<string>(texts.map(({ state }) => state))
  if (texts.some(({ since }) => since !== undefined)) marks.add('relabelled')
  if (texts.some(({ isNative }) => !isNative)) marks.add('edited')
  if (derived) marks.add('derived')
  if (example.isFirst) marks.add('first')
  return `<article class="example" id="e${number}" tabindex="-1" aria-labelledby="t${number}" data-metric="${metric}" data-window="${window}" data-status="${status}" data-show="${[...marks].join(' ')}">
<div class="about">
<h3 id="t${number}">${renderDates(titleOf(example))} · <bdi>${escapeHtml(petName)}</bdi></h3>
${derived ? `<p class="derived">Derived: ${escapeHtml(changes.join(', '))}</p>\n` : ''}<p><b class="status ${status}">${statusNames[status]}</b> severity ${severity}</p>
<p class="source">${derived ? 'from ' : ''}<code>${escapeHtml(fixture)}.json</code></p>
<details><summary>Facts used</summary></details>
</div>
${texts.map((text) => renderText(text, ruleVersion)).join('\n')}
</article>`
}

function renderText(text: ReviewText, ruleVersion: string): string {
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
<p class="sign ${state}">${renderDates(describeApproval(text, ruleVersion))}</p>
</div>`
}

/** Renders words that were removed and added. Marks and hidden text identify them without color. */
export function renderChanges(changes: readonly WordChange[]): string {
  return changes
    .map(({ kind, text }) => {
      const words = escapeHtml(text)
      if (kind === 'same') return words
      const [element, said] = kind === 'added' ? ['ins', 'added'] : ['del', 'removed']
      return `<${element}><span class="said" lang="en"> ${said}: </span>${words}<span class="said"> </span></${element}>`
    })
    .join('')
}

/** Lists the facts of an example, in words for readers who do not know the fields of a request, and its rule. */
export function listFacts({ facts, ruleId }: ReviewExample): PageFacts {
  const described = facts.map(({ name, path = '', value }) => {
    const words = factWords[path]
    return [words?.name ?? name, words?.value?.(value) ?? plainValues[value] ?? value] as const
  })
  return [...described, ['rule', ruleId]]
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
      return `${window === 'day' ? '' : `${window} from `}${date}${pages[mode] ?? ''}`
    },
  },
  '/insightContext/asOf': { name: 'seen on' },
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
