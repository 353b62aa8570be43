import { type Copy, scenarios } from '../insight/index.js'
import { compileMessages } from '../message-compiler.js'
import { type EntryFile, type ReviewTexts, readEntries } from './entries.js'
import { type Finding, findFirst } from './finding.js'
import { lintParity } from './lint-parity.js'
import { lintPatterns } from './lint-patterns.js'
import { lintRendered, type RenderedLint, type ReviewFixture } from './lint-rendered.js'
import { lintWords } from './lint-words.js'
import { type Approvals, judgeTexts } from './signoff.js'
import type { Wording } from './wording.js'

/** What is checked, and against what. */
export interface LintInput {
  readonly files: readonly EntryFile[]
  readonly fixtures: readonly ReviewFixture[]
  readonly wording: Wording
  /** Texts that were approved: of two that differ, the one that is not is at fault. */
  readonly signoff: { readonly texts: Approvals }
}

/** The texts that could be read, and everything that is wrong with them; nothing about their approval. */
export interface Lint {
  readonly texts: ReviewTexts
  readonly findings: readonly Finding[]
  /** Whether the texts could be put together: else those of a whole answer were not looked at. */
  readonly isRendered: boolean
  /** The texts as functions, where they could be put together. */
  readonly messages: Copy['messages'] | undefined
  /** The texts that each scenario is put together from; none where they could not be put together. */
  readonly uses: RenderedLint['uses']
}

/** Checks the texts of `catalog/insight/`: each by itself, the languages against each other, and put together. */
export function lintTexts({ files, fixtures, signoff, wording }: LintInput): Lint {
  const { texts, findings: ofEntries } = readEntries(files)
  const open = judgeTexts(texts.patterns, signoff.texts).filter(
    ({ state }) => state === 'changed' || state === 'unsigned',
  )
  const edited = new Set(open.map(({ id, locale }) => `${id} ${locale}`))
  const ofPatterns = lintPatterns(texts, wording)
  const readable = withoutBroken(texts, ofPatterns)
  const isRendered = ofEntries.length + ofPatterns.length === 0
  const told = [
    ...ofEntries,
    ...lintScenarios(texts),
    ...ofPatterns,
    ...lintParity(withoutFaulty(readable, ofPatterns), wording, edited),
    ...lintWords(readable, wording),
  ]
  if (!isRendered) return { texts, isRendered, messages: undefined, uses: new Map(), findings: findFirst(told) }
  const messages = compileMessages(texts)
  const { uses, findings } = lintRendered({ texts, messages, fixtures, wording, edited, told })
  return { texts, isRendered, messages, uses, findings: findFirst([...told, ...findings]) }
}

function lintScenarios({ files }: ReviewTexts): Finding[] {
  return scenarios
    .filter(({ id }) => files[id] === undefined)
    .map(({ id, condition }) => {
      const [family = ''] = id.split('_')
      const sibling = Object.keys(files).find((other) => other.startsWith(`${family}_`)) ?? ''
      const file = files[sibling] ?? 'insight/phrases.json'
      const message = `The scenario ${id} has no text (said when: ${condition}).`
      return { code: 'scenario-missing', file, id, message, fix: `Put ${id} back, in every language.` }
    })
}

/** Without the languages that cannot be read: of them nothing else can be said. */
function withoutBroken({ files, patterns }: ReviewTexts, findings: readonly Finding[]): ReviewTexts {
  const broken = new Set(
    findings.filter(({ code }) => code === 'pattern-broken').map(({ id, locale }) => `${id} ${locale}`),
  )
  const keep = (locale: keyof typeof patterns) =>
    Object.fromEntries(Object.entries(patterns[locale]).filter(([id]) => !broken.has(`${id} ${locale}`)))
  return { files, patterns: { 'zh-CN': keep('zh-CN'), 'en-US': keep('en-US'), es: keep('es') } }
}

/** Without the texts whose languages already differ in a plainer way. */
function withoutFaulty({ files, patterns }: ReviewTexts, findings: readonly Finding[]): ReviewTexts {
  const faulty = new Set(findings.map(({ id }) => id))
  return { patterns, files: Object.fromEntries(Object.entries(files).filter(([id]) => !faulty.has(id))) }
}
