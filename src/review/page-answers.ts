import { type Locale, locales } from '../insight/types.js'
import type { ChangedAnswer } from './changed-answers.js'
import { escapeHtml } from './html.js'
import { renderChanges } from './page-changes.js'
import { capitalize, localeNames, titleOf } from './page-words.js'
import type { Review, ReviewExample } from './review.js'

/** Few enough to be seen at once. */
const shownAtOnce = 12

/** What the samples say now, beside what was signed off for them; '' where all say the same. `numberOf` is that of an example. */
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
<summary><h2>${samples} something else than what was signed off</h2></summary>
${rows.join('\n')}
</details>`
}

function renderTitle(example: ReviewExample, condition: string, number: number): string {
  return `<h3><a href="#e${number}">${escapeHtml(titleOf(example))} · <bdi>${escapeHtml(example.petName)}</bdi></a></h3>
<p>${escapeHtml(capitalize(condition))}</p>
<p class="source"><code>${escapeHtml(example.fixture)}.json</code></p>`
}

/** Of what is no example: words that only some dates show, or a fixture that is odd. */
function renderName(id: string): string {
  return id.includes(' ')
    ? `<h3>How ${escapeHtml(id)} are written</h3>`
    : `<h3>A sample that is not shown below</h3>\n<p class="source"><code>${escapeHtml(id)}.json</code></p>`
}

function renderAnswer(answer: ChangedAnswer | undefined, locale: Locale): string {
  const name = `<p class="locale">${localeNames[locale]}</p>`
  if (answer === undefined) return `<div class="text">${name}<p class="sign">As it was signed off</p></div>`
  const { changes, wordings } = answer
  const codes = wordings.map((id) => `<code>${escapeHtml(id)}</code>`).join(', ')
  const cause =
    wordings.length === 0
      ? 'No wording changed: the rules did, or words that the program puts in'
      : `Because of ${wordings.length === 1 ? 'the wording' : 'the wordings'} ${codes}`
  return `<div class="text">${name}<p class="changes" lang="${locale}" dir="auto">${renderChanges(changes)}</p><p class="sign changed">${cause}</p></div>`
}
