import type { Locale } from '../insight/types.js'
import type { SignedAnswer } from './answers.js'
import type { SignedText } from './signoff.js'
import { diffWords, type WordChange } from './word-diff.js'

/** What a fixture says in one language, where it is other than what was signed off for it. */
export interface ChangedAnswer {
  /** The name of the fixture, or `dates and times`. */
  readonly id: string
  readonly locale: Locale
  readonly changes: readonly WordChange[]
  /** The changed texts of the catalog that it is made of; none where rules changed, or words that the program puts in. */
  readonly wordings: readonly string[]
}

/** `answers` are judged as they are with the texts of now. One whose fixture changed says something else for that reason. */
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

/** Of a list of words in the order that it always has: those that changed. */
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
