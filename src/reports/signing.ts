import type { Finding } from '../copydesk/finding.js'
import { locateFinding } from '../copydesk/located-finding.js'
import type { ReviewInput } from '../copydesk/review-input.js'
import type { Signing } from '../copydesk/signoff/signing.js'
import type { Patterns, SignedText } from '../copydesk/signoff/signoff.js'
import { defaultLocale } from '../insight/index.js'
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

/** Renders everything to approve, before and after. */
export function describeSigning(signing: Signing, patterns: Patterns, paint: Paint): string {
  const { answers, leftOver, texts, wording } = signing
  const blocks = [...texts, ...answers].map((signed) => {
    const { entry, id, locale, state, text } = signed
    // A stale text may have the approved words: its source, or its fixture, changed.
    const isSame = state === 'stale' && entry?.text === text
    const lines = [
      `${paint('bold', id)} ${locale}  ${state}`,
      ...(isSame ? [`        ${showText(text)}`] : []),
      ...(isSame ? [] : renderChange({ ...(entry && { before: entry.text }), after: text, locale }, paint)),
      ...(state === 'stale' && !('uses' in signed) ? describeSource(id, texts, patterns) : []),
    ]
    return `${lines.join('\n')}\n`
  })
  const gone = leftOver.map((id) => `${paint('bold', id)}  no longer exists: its approval is removed\n`)
  return [...blocks, ...(wording ? [`${paint('bold', 'catalog/insight/wording.json')}  changed\n`] : []), ...gone].join(
    '',
  )
}

/** Renders the current source of a stale translation, unless it is shown as well. */
function describeSource(id: string, texts: readonly SignedText[], patterns: Patterns): string[] {
  const source = patterns[defaultLocale][id]
  const isShown = texts.some((text) => text.id === id && text.locale === defaultLocale)
  return source === undefined || isShown ? [] : [`      ${defaultLocale} is now: ${showText(source)}`]
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
