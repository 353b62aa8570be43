import { loadInsightCopy } from '../../catalog/catalog.js'
import { compileMessages } from '../../catalog/message-compiler.js'
import { type Copy, generate, type Locale, locales } from '../../insight/index.js'
import { traceTexts } from '../../insight/trace.js'
import type { Paint } from '../../runtime/style.js'
import { count, toPrintable } from '../../text/words.js'
import type { EntryFile } from '../entries.js'
import type { Finding } from '../finding.js'
import type { Fixture } from '../fixtures.js'
import { lintTexts } from '../lint/lint.js'
import { type ReviewInput, readReviewInput } from '../review-input.js'
import { diffWords } from '../word-diff.js'
import type { Draft } from './draft.js'

/** The output of a text in the fixtures that use it, before and after an edit. */
export interface Preview {
  /** Renders the current output of the first fixtures. */
  readonly show: () => string
  /** Renders the changed output as a word diff. If the texts are not usable, the report names the problems. */
  readonly judge: (texts: Draft['texts']) => { readonly isUsable: boolean; readonly report: string }
}

const fixturesShown = 3

export async function createPreview(id: string, paint: Paint): Promise<Preview> {
  const input = await readReviewInput()
  const copy = await loadInsightCopy()
  let known: ReadonlySet<string> | undefined
  /** Checks the texts before the edit only when the changed ones have a finding: it takes half a second. */
  const isKnown = (finding: Finding) => {
    known ??= new Set(lintTexts(input).findings.map(nameFinding))
    return known.has(nameFinding(finding))
  }
  const users = input.fixtures.filter((fixture) => isUsed(id, fixture, copy))
  return {
    show: () => showFirst(users.map((user) => showUser(user, copy, paint))),
    judge: (edited) => {
      const { findings, isRendered, texts } = lintTexts(changeEntry(input, id, edited))
      const fresh = findings.filter((finding) => !isKnown(finding))
      const problems = fresh.map(({ fix, message }) => `${toPrintable(message)} ${toPrintable(fix)}\n`)
      if (!isRendered) return { isUsable: false, report: problems.join('') }
      const after = { ...copy, messages: compileMessages(texts) }
      const blocks = users.map((user) => compareUser(user, copy, after, paint)).filter((block) => block !== '')
      const compared = blocks.length === 0 ? 'The text of no fixture changes.\n' : showFirst(blocks)
      const warned = problems.map((problem) => `${paint('yellow', 'svc insight check will report:')} ${problem}`)
      return { isUsable: true, report: `\n${compared}${warned.join('')}` }
    },
  }
}

const nameFinding = ({ code, id, locale, message }: Finding) => [code, id, locale, message].join(' ')

function isUsed(id: string, { payload }: Fixture, copy: Copy): boolean {
  return locales.some((locale) =>
    traceTexts(copy, (traced) => generate(payload, { copy: traced, locale })).uses.some((use) => use.id === id),
  )
}

function changeEntry(input: ReviewInput, id: string, edited: Draft['texts']): ReviewInput {
  const change = (file: EntryFile): EntryFile => ({
    ...file,
    entries: file.entries.map((entry) => {
      if (entry.id !== id) return entry
      const members = entry.members?.map((member) => {
        const locale = locales.find((candidate) => candidate === member.name)
        return locale === undefined ? member : { ...member, value: edited[locale] }
      })
      return { ...entry, members }
    }),
  })
  return { ...input, files: input.files.map(change) }
}

const say = ({ payload }: Fixture, locale: Locale, copy: Copy) => generate(payload, { copy, locale }).summary

function showUser(user: Fixture, copy: Copy, paint: Paint): string {
  const lines = locales.map((locale) => showLine(locale, toPrintable(say(user, locale, copy)), paint))
  return `${paint('bold', user.name)}\n${lines.join('')}\n`
}

/** Renders the languages in which a fixture changes; empty if none of them do. */
function compareUser(user: Fixture, before: Copy, after: Copy, paint: Paint): string {
  const lines = locales.flatMap((locale) => {
    const [older, newer] = [say(user, locale, before), say(user, locale, after)]
    return older === newer ? [] : [showLine(locale, markChanges(older, newer, locale, paint), paint)]
  })
  return lines.length === 0 ? '' : `${paint('bold', user.name)}\n${lines.join('')}\n`
}

function showLine(locale: Locale, text: string, paint: Paint): string {
  return `  ${paint('dim', locale.padEnd(5))}  ${text}\n`
}

function showFirst(blocks: readonly string[]): string {
  const more = blocks.length - fixturesShown
  const rest = more > 0 ? `And ${count(more, 'more fixture')}: svc insight review shows them all.\n\n` : ''
  return blocks.slice(0, fixturesShown).join('') + rest
}

/** Uses marks in addition to colours. */
function markChanges(older: string, newer: string, locale: Locale, paint: Paint): string {
  return diffWords(older, newer, locale)
    .map(({ kind, text }) => {
      if (kind === 'same') return toPrintable(text)
      return kind === 'added' ? paint('green', `{+${toPrintable(text)}+}`) : paint('red', `[-${toPrintable(text)}-]`)
    })
    .join('')
}
