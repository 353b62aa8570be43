import type { Locale } from '../../insight/types.js'
import { escapeHtml } from '../../text/html.js'
import type { SignedAnswer } from '../signoff/answers.js'
import type { SignedText } from '../signoff/signoff.js'
import { diffWords, type WordChange } from '../word-diff.js'

/** An answer of a fixture in one language that differs from its sign-off. */
export interface ChangedAnswer {
  /** The name of the fixture, or `dates and times`. */
  readonly id: string
  readonly locale: Locale
  readonly changes: readonly WordChange[]
  /** The changed catalog texts that it uses; empty if the rules, or words that the program adds, changed. */
  readonly wordings: readonly string[]
}

/** Lists the answers, judged with the current texts, that changed. Answers whose fixture changed are left out. */
export function listChangedAnswers(
  answers: readonly SignedAnswer[],
  changed: readonly SignedText[],
): readonly ChangedAnswer[] {
  return answers.flatMap(({ entry, id, locale, scenario, state, text, uses }) => {
    if (state !== 'changed' || entry === undefined || entry.text === text) return []
    const compare = scenario === '' ? compareList : diffWords
    const own = changed.filter((one) => one.locale === locale && uses.has(one.id))
    return [{ id, locale, changes: compare(entry.text, text, locale), wordings: own.map((one) => one.id) }]
  })
}

const listMark = ' | '

/** Compares two lists of the same length entry by entry and returns the entries that changed. */
function compareList(older: string, newer: string, locale: Locale): readonly WordChange[] {
  const [before, after] = [older, newer].map((text) => text.split(listMark))
  if (before === undefined || after === undefined || before.length !== after.length) {
    return diffWords(older, newer, locale)
  }
  const changed = before.flatMap((words, index) =>
    words === after[index] ? [] : [diffWords(words, after[index] ?? '', locale)],
  )
  return changed.flatMap((changes, index) => [
    ...(index === 0 ? [] : [{ kind: 'same' as const, text: listMark }]),
    ...changes,
  ])
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
