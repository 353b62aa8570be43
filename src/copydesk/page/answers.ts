import { type Locale, locales } from '../../insight/types.js'
import { escapeHtml } from '../../text/html.js'
import type { ChangedAnswer } from './changed-answers.js'
import { renderChanges } from './changed-answers.js'
import type { Review, ReviewExample } from './review.js'
import { capitalize, localeNames, titleOf } from './words.js'

/** The maximum number of samples to show without unfolding. */
const shownAtOnce = 12

/**
 * Renders the samples that differ from their sign-off; empty if none of them do. `numberOf` returns the number of an
 * example.
 */
export function renderAnswers({ answers, scenarios }: Review, numberOf: (id: string) => number): string {
  if (answers.length === 0) return ''
  const ids = [...new Set(answers.map(({ id }) => id))]
  const rows = ids.map((id) => {
    const own = answers.filter((answer) => answer.id === id)
    const scenario = scenarios.find(({ examples }) => examples.some((example) => example.id === id))
    const example = scenario?.examples.find((one) => one.id === id)
    const about =
      example === undefined ? renderName(id) : renderTitle(example, scenario?.condition ?? '', numberOf(example.id))
    return `<article class="answer">
<div class="about">${about}</div>
${locales
  .map((locale) =>
    renderAnswer(
      own.find((answer) => answer.locale === locale),
      locale,
    ),
  )
  .join('\n')}
</article>`
  })
  const samples = ids.length === 1 ? '1 sample says' : `${ids.length} samples say`
  return `<details class="answers"${ids.length > shownAtOnce ? '' : ' open'}>
<summary><h2>${samples} something different from the sign-off</h2></summary>
${rows.join('\n')}
</details>`
}

function renderTitle(example: ReviewExample, condition: string, number: number): string {
  return `<h3><a href="#e${number}">${escapeHtml(titleOf(example))} · <bdi>${escapeHtml(example.petName)}</bdi></a></h3>
<p>${escapeHtml(capitalize(condition))}</p>
<p class="source"><code>${escapeHtml(example.fixture)}.json</code></p>`
}

/** Names an answer that is not an example: the words of dates, or a fixture with warnings. */
function renderName(id: string): string {
  return id.includes(' ')
    ? `<h3>The format of ${escapeHtml(id)}</h3>`
    : `<h3>A sample that is not shown below</h3>\n<p class="source"><code>${escapeHtml(id)}.json</code></p>`
}

function renderAnswer(answer: ChangedAnswer | undefined, locale: Locale): string {
  const name = `<p class="locale">${localeNames[locale]}</p>`
  if (answer === undefined)
    return `<div class="text" data-locale="${locale}">${name}<p class="sign">As signed off</p></div>`
  const { changes, wordings } = answer
  const codes = wordings.map((id) => `<code>${escapeHtml(id)}</code>`).join(', ')
  const cause =
    wordings.length === 0
      ? 'No wording changed: the rules did, or words that the program adds'
      : `Because of ${wordings.length === 1 ? 'the wording' : 'the wordings'} ${codes}`
  return `<div class="text" data-locale="${locale}">${name}<p class="changes" lang="${locale}" dir="auto">${renderChanges(changes)}</p><p class="sign changed">${cause}</p></div>`
}
