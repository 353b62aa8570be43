import type { Finding } from '../copydesk/finding.js'
import { locateFinding } from '../copydesk/located-finding.js'
import type { ReviewInput } from '../copydesk/review-input.js'
import type { SignedAnswer } from '../copydesk/signoff/answers.js'
import type { TextInSentences } from '../copydesk/signoff/sentences.js'
import type { Signing } from '../copydesk/signoff/signing.js'
import type { SignedText } from '../copydesk/signoff/signoff.js'
import type { WordChange } from '../copydesk/word-diff.js'
import { defaultLocale, type Locale } from '../insight/index.js'
import { createPaint, type Paint } from '../runtime/style.js'
import { listWords } from '../text/spelling.js'
import { count, toJsonText } from '../text/words.js'
import { renderChange, renderFinding, showText } from './copy-check.js'
import { toRepositoryPath } from './validation/github.js'

export function describeObstacles(obstacles: readonly Finding[], input: ReviewInput): string {
  const paint = createPaint(process.stderr)
  const shown = obstacles.map((finding) => {
    const located = locateFinding(input, finding)
    return `${toRepositoryPath(located.path, process.cwd())}\n${renderFinding(located, paint)}`
  })
  return `${shown.join('')}svc: Nothing was signed: fix ${obstacles.length === 1 ? 'this' : 'these'} first.\n`
}

/** Renders everything to approve: the sentences of each text, before and after, then the answers. */
export function describeSigning(
  { answers, leftOver, wording }: Signing,
  texts: readonly TextInSentences[],
  paint: Paint,
): string {
  const title = ({ id, locale, state }: Pick<SignedText, 'id' | 'locale' | 'state'>) =>
    `${paint('bold', id)} ${locale}  ${state}`
  const blocks = [
    ...texts.map((shown) => [title(shown.text), ...renderSentences(shown, paint)]),
    ...answers.map((answer) => [title(answer), ...renderAnswer(answer, paint)]),
  ]
  const gone = leftOver.map((id) => `${paint('bold', id)}  no longer exists: its approval is removed\n`)
  return [
    ...blocks.map((lines) => `${lines.join('\n')}\n`),
    ...(wording ? [`${paint('bold', 'catalog/insight/wording.json')}  changed\n`] : []),
    ...gone,
  ].join('')
}

function renderSentences({ more, sentences, source, text }: TextInSentences, paint: Paint): string[] {
  const { locale } = text
  const shown = sentences.flatMap((changes) => renderWords(changes, locale, paint))
  return [
    ...(shown.length === 0 ? ['        No example says anything different.'] : shown),
    ...(more === 0 ? [] : [`        and ${count(more, 'more sentence')}: svc insight review shows them`]),
    ...(source === undefined ? [] : [`      ${defaultLocale} is now:`, ...renderWords(source, defaultLocale, paint)]),
  ]
}

/** Renders a sentence: one line if it has the approved words, else the approved and the current one. */
function renderWords(changes: readonly WordChange[], locale: Locale, paint: Paint): string[] {
  const without = (kind: WordChange['kind']) =>
    changes.flatMap((change) => (change.kind === kind ? [] : [change.text])).join('')
  const [before, after] = [without('added'), without('removed')]
  return before === after ? [`        ${showText(after)}`] : renderChange({ before, after, locale }, paint)
}

/** Renders an answer. A stale one may have the approved words: its fixture changed. */
function renderAnswer({ entry, locale, state, text }: SignedAnswer, paint: Paint): string[] {
  if (state === 'stale' && entry?.text === text) return [`        ${showText(text)}`]
  return renderChange({ ...(entry && { before: entry.text }), after: text, locale }, paint)
}

/** Returns a phrase such as "3 texts and 2 answers". */
export function nameSigned({ answers, label, texts, wording }: Signing): string {
  const parts = [
    ...(texts.length > 0 ? [count(texts.length, 'text')] : []),
    ...(answers.length > 0 ? [count(answers.length, 'answer')] : []),
    ...(wording ? ['the rules about words'] : []),
    ...(label ? ['the label'] : []),
  ]
  return listWords(parts, 'and')
}

export function describeDone(signing: Signing, by: string, ruleVersion: string): string {
  const { leftOver } = signing
  const signed = nameSigned(signing)
  const done = [
    ...(signed === '' ? [] : [`Signed ${signed} as ${by} (${ruleVersion}).`]),
    ...(leftOver.length > 0 ? [`Removed ${count(leftOver.length, 'approval')}.`] : []),
  ]
  return `${done.join(' ') || 'Nothing to sign: every text named is signed as it is.'}\n`
}

export function presentSigning({ answers, leftOver, texts, wording }: Signing, ruleVersion: string): string {
  const result = {
    signed: texts.map(({ id, locale, state }) => ({ text: id, locale, was: state })),
    answers: answers.map(({ id, locale, state }) => ({ fixture: id, locale, was: state })),
    wording,
    removed: leftOver,
    ruleVersion,
  }
  return `${toJsonText(result)}\n`
}
