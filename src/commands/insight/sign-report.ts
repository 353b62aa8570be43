import { defaultLocale } from '../../insight/index.js'
import type { Wanted } from '../../review/approve.js'
import type { Finding } from '../../review/finding.js'
import type { Patterns, SignedText } from '../../review/signoff.js'
import { listWords } from '../../spelling.js'
import { toRepositoryPath } from '../formats/github.js'
import { createPaint, type Paint } from '../output/style.js'
import { count, escapeControls } from '../output/words.js'
import { locateFinding } from './check.js'
import { renderChange, renderFinding, showText } from './check-formats.js'
import type { ReviewInput } from './review-input.js'

/** What `svc insight sign` approves, and what it takes out. */
export interface Signing extends Wanted {
  /** Texts and fixtures that are gone, and have approvals. */
  readonly leftOver: readonly string[]
  /** Whether the label is approved by itself: all else is. */
  readonly label: boolean
}

export function isNothing({ answers, label, leftOver, texts, wording }: Signing): boolean {
  return texts.length + answers.length + leftOver.length === 0 && !wording && !label
}

export function describeObstacles(obstacles: readonly Finding[], input: ReviewInput): string {
  const paint = createPaint(process.stderr)
  const shown = obstacles.map((finding) => {
    const located = locateFinding(input, finding)
    return `${toRepositoryPath(located.path, process.cwd())}\n${renderFinding(located, paint)}`
  })
  return `${shown.join('')}svc: Nothing was signed: mend ${obstacles.length === 1 ? 'this' : 'these'} first.\n`
}

/** Everything that is approved, before and after. */
export function describeSigning(signing: Signing, patterns: Patterns, paint: Paint): string {
  const { answers, leftOver, texts, wording } = signing
  const blocks = [...texts, ...answers].map((signed) => {
    const { entry, id, locale, state, text } = signed
    // Beside another English text, or of a fixture that changed, the words may be those that were approved.
    const isSame = state === 'stale' && entry?.text === text
    const lines = [
      `${paint('bold', id)} ${locale}  ${state}`,
      ...(isSame ? [`        ${showText(text)}`] : []),
      ...(isSame ? [] : renderChange({ ...(entry && { before: entry.text }), after: text, locale }, paint)),
      ...(state === 'stale' && !('uses' in signed) ? describeSource(id, texts, patterns) : []),
    ]
    return `${lines.join('\n')}\n`
  })
  const gone = leftOver.map((id) => `${paint('bold', id)}  no longer there: its approval is taken out\n`)
  return [...blocks, ...(wording ? [`${paint('bold', 'catalog/insight/wording.json')}  changed\n`] : []), ...gone].join(
    '',
  )
}

/** What a stale translation is to be compared with, where it is not shown beside it. */
function describeSource(id: string, texts: readonly SignedText[], patterns: Patterns): string[] {
  const source = patterns[defaultLocale][id]
  const isShown = texts.some((text) => text.id === id && text.locale === defaultLocale)
  return source === undefined || isShown ? [] : [`      ${defaultLocale} is now: ${showText(source)}`]
}

/** "3 texts and 2 answers". */
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
    ...(leftOver.length > 0 ? [`Took out ${count(leftOver.length, 'approval')}.`] : []),
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
  return `${escapeControls(JSON.stringify(result))}\n`
}
