import { compileMessages } from '../../catalog/message-compiler.js'
import { byLocale, type Copy, locales, scenarios } from '../../insight/index.js'
import { type EntryFile, type ReviewTexts, readEntries } from '../entries.js'
import { type Finding, findFirst } from '../finding.js'
import type { Fixture } from '../fixtures.js'
import { type Approvals, judgeTexts } from '../signoff/signoff.js'
import { findLongest } from './longest.js'
import { lintParity } from './parity.js'
import { lintPatterns } from './patterns.js'
import { lintRendered, type RenderedLint } from './rendered.js'
import type { Wording } from './wording.js'
import { lintWords } from './words.js'

/** The texts to check and the references to check them against. */
export interface LintInput {
  readonly files: readonly EntryFile[]
  readonly fixtures: readonly Fixture[]
  readonly wording: Wording
  /** Approvals: if two languages differ, the unapproved one gets the finding. */
  readonly signoff: { readonly texts: Approvals }
}

/** The texts that could be parsed, with every finding but those on their approval. */
export interface Lint {
  readonly texts: ReviewTexts
  readonly findings: readonly Finding[]
  /** True if the texts could be rendered; otherwise whole answers were not checked. */
  readonly isRendered: boolean
  /** The compiled texts, if they could be rendered. */
  readonly messages: Copy['messages'] | undefined
  /** The texts that each scenario uses; empty if they could not be rendered. */
  readonly uses: RenderedLint['uses']
}

/** Checks the texts of `catalog/insight/`: each alone, the languages against each other, and rendered. */
export function lintTexts({ files, fixtures, signoff, wording }: LintInput): Lint {
  const { texts, findings: entryFindings } = readEntries(files)
  const open = judgeTexts(texts.patterns, signoff.texts).filter(
    ({ state }) => state === 'changed' || state === 'unsigned',
  )
  const edited = new Set(open.map(({ id, locale }) => `${id} ${locale}`))
  const patternFindings = lintPatterns(texts, wording)
  const readable = withoutBroken(texts, patternFindings)
  const isRendered = entryFindings.length + patternFindings.length === 0
  const known = [
    ...entryFindings,
    ...lintScenarios(texts),
    ...patternFindings,
    ...lintParity(withoutKnownDifferences(readable, patternFindings), wording, edited),
    ...lintWords(readable, wording),
  ]
  if (!isRendered) return { texts, isRendered, messages: undefined, uses: new Map(), findings: findFirst(known) }
  const messages = compileMessages(texts)
  const { uses, findings } = lintRendered({ texts, messages, fixtures, wording, edited, known })
  const found = [...known, ...findings]
  // A defect may be what makes a text long: the search waits until it is mended.
  const long = found.length > 0 ? [] : lintLongest(fixtures, messages, wording, texts)
  return { texts, isRendered, messages, uses, findings: findFirst([...found, ...long]) }
}

/** Finds the scenarios whose longest text is over the limit, although no fixture shows it. */
function lintLongest(
  fixtures: LintInput['fixtures'],
  messages: Copy['messages'],
  { maxLength }: Wording,
  { files, patterns }: ReviewTexts,
): Finding[] {
  return scenarios.flatMap(({ id }) => {
    const payload = fixtures.find(({ name }) => name.split('.')[0] === id)?.payload
    if (payload === undefined) return []
    return locales.flatMap((locale): Finding[] => {
      const text = findLongest(id, payload, locale, { messages, patterns })
      const length = [...text].length
      if (length <= maxLength[locale]) return []
      const message = `The longest text of ${id} has ${length} characters in ${locale} (maximum ${maxLength[locale]}): ${text}`
      const fix = 'Shorten it or a text that it uses.'
      return [{ code: 'too-long', file: files[id] ?? '', id, locale, message, fix }]
    })
  })
}

function lintScenarios({ files }: ReviewTexts): Finding[] {
  return scenarios
    .filter(({ id }) => files[id] === undefined)
    .map(({ id, condition }) => {
      const [family = ''] = id.split('_')
      const sibling = Object.keys(files).find((other) => other.startsWith(`${family}_`)) ?? ''
      const file = files[sibling] ?? 'insight/phrases.json'
      const message = `The scenario ${id} has no text (used for: ${condition}).`
      return { code: 'scenario-missing', file, id, message, fix: `Restore ${id} in every language.` }
    })
}

/** Removes the languages of a text that cannot be parsed: they allow no other check. */
function withoutBroken({ files, patterns }: ReviewTexts, findings: readonly Finding[]): ReviewTexts {
  const broken = new Set(
    findings.filter(({ code }) => code === 'pattern-broken').map(({ id, locale }) => `${id} ${locale}`),
  )
  const keep = (locale: keyof typeof patterns) =>
    Object.fromEntries(Object.entries(patterns[locale]).filter(([id]) => !broken.has(`${id} ${locale}`)))
  return { files, patterns: byLocale(keep) }
}

/** Removes the texts whose languages already have a more basic difference. */
function withoutKnownDifferences({ files, patterns }: ReviewTexts, findings: readonly Finding[]): ReviewTexts {
  const different = new Set(findings.map(({ id }) => id))
  return { patterns, files: Object.fromEntries(Object.entries(files).filter(([id]) => !different.has(id))) }
}
