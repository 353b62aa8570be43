import { loadInsightCopy } from '../../catalog/catalog.js'
import { type Copy, type Locale, locales } from '../../insight/index.js'
import type { Paint } from '../../runtime/style.js'
import { count, toPrintable } from '../../text/words.js'
import type { Fixture } from '../fixtures.js'
import { readReviewInput } from '../review-input.js'
import { diffWords } from '../word-diff.js'
import type { Draft } from './draft.js'
import { createJudge, type Said, say } from './judge.js'

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
  const { judge, users } = createJudge(id, input, copy, input.fixtures)
  return {
    show: () => showFirst(users.map((user) => showUser(user, copy, paint))),
    judge: (edited) => {
      const { findings, isUsable, said } = judge(edited)
      const problems = findings.map(({ fix, message }) => `${toPrintable(message)} ${toPrintable(fix)}\n`)
      if (!isUsable) return { isUsable, report: problems.join('') }
      const blocks = users.map((user) => compareUser(user, said, paint)).filter((block) => block !== '')
      const compared = blocks.length === 0 ? 'No fixture changes its text.\n' : showFirst(blocks)
      const warned = problems.map((problem) => `${paint('yellow', 'svc insight check will report:')} ${problem}`)
      return { isUsable, report: `\n${compared}${warned.join('')}` }
    },
  }
}

function showUser(user: Fixture, copy: Copy, paint: Paint): string {
  const lines = locales.map((locale) => showLine(locale, toPrintable(say(user, locale, copy)), paint))
  return `${paint('bold', user.name)}\n${lines.join('')}\n`
}

/** Renders the languages in which a fixture changes; empty if none of them do. */
function compareUser(user: Fixture, said: readonly Said<Fixture>[], paint: Paint): string {
  const changed = said.filter((one) => one.user === user && one.before !== one.after)
  const lines = changed.map(({ after, before, locale }) =>
    showLine(locale, markChanges(before, after, locale, paint), paint),
  )
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
