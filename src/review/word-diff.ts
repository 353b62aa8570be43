import { diffArrays } from 'diff'
import type { Locale } from '../insight/types.js'

/** A run of words that both texts have, or only the newer one (`added`), or only the older one (`removed`). */
export interface WordChange {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

const segmenters: Readonly<Record<Locale, Intl.Segmenter>> = {
  'zh-CN': new Intl.Segmenter('zh-CN', { granularity: 'word' }),
  'en-US': new Intl.Segmenter('en-US', { granularity: 'word' }),
  es: new Intl.Segmenter('es', { granularity: 'word' }),
}

/**
 * What changed between two texts of a language, as one reads it: neighbouring changes are one run taken out and one put in,
 * and a lone short word between them goes with them. Chinese words are found in a dictionary, as it has no spaces.
 * Nothing is lost, not even a space: what is not `added` is the older text, what is not `removed` the newer one.
 */
export function diffWords(older: string, newer: string, locale: Locale): readonly WordChange[] {
  const joined: Edit[] = []
  for (const edit of listEdits(older, newer, locale)) {
    const former = joined.at(-1)
    if (former !== undefined && mayJoin(former, edit, locale)) joined.splice(-1, 1, join(former, edit))
    else joined.push(edit)
  }
  return joined.map(freeStart).reduceRight<readonly Edit[]>(freeEnd, []).flatMap(presentEdit)
}

/** The same word by word: the fewest words taken out and put in, however often the two alternate. */
export function compareWords(older: string, newer: string, locale: Locale): readonly WordChange[] {
  return listEdits(older, newer, locale).flatMap(presentEdit)
}

/** Words that stay, and what is taken out and put in behind them. */
interface Edit {
  readonly same: string
  readonly removed: string
  readonly added: string
}

function listEdits(older: string, newer: string, locale: Locale): Edit[] {
  const split = (text: string) => [...segmenters[locale].segment(text)].map(({ segment }) => segment)
  const edits: Edit[] = []
  for (const { added, removed, value } of diffArrays(split(older), split(newer))) {
    const text = value.join('')
    if (!added && !removed) {
      edits.push({ same: text, removed: '', added: '' })
      continue
    }
    const edit = edits.pop() ?? { same: '', removed: '', added: '' }
    edits.push(added ? { ...edit, added: edit.added + text } : { ...edit, removed: edit.removed + text })
  }
  return edits
}

/** Two changes are one where both are read as a whole: something goes, something comes, and hardly a word stays between. */
function mayJoin(former: Edit, { same, removed, added }: Edit, locale: Locale): boolean {
  const isChange = former.removed + former.added !== '' && removed + added !== ''
  return isChange && former.removed + removed !== '' && former.added + added !== '' && isShort(same, locale)
}

const join = (former: Edit, { same, removed, added }: Edit): Edit => ({
  same: former.same,
  removed: former.removed + same + removed,
  added: former.added + same + added,
})

/** Space before both what goes and what comes is no change. */
function freeStart({ same, removed, added }: Edit): Edit {
  const [space = ''] = /^\s*/.exec(removed) ?? []
  if (space === '' || added === '' || /^\s*/.exec(added)?.[0] !== space) return { same, removed, added }
  return { same: same + space, removed: removed.slice(space.length), added: added.slice(space.length) }
}

/** Nor is space behind both: it belongs to what follows. */
function freeEnd(later: readonly Edit[], { same, removed, added }: Edit): readonly Edit[] {
  const [space = ''] = /\s*$/.exec(removed) ?? []
  if (space === '' || added === '' || /\s*$/.exec(added)?.[0] !== space) return [{ same, removed, added }, ...later]
  const [next = { same: '', removed: '', added: '' }, ...others] = later
  const cut = { same, removed: removed.slice(0, -space.length), added: added.slice(0, -space.length) }
  return [cut, { ...next, same: space + next.same }, ...others]
}

/** Letters of a word that says little by itself: "a", "de", "with"; 的. */
const shortWord: Readonly<Record<Locale, number>> = { 'zh-CN': 1, 'en-US': 4, es: 4 }

function isShort(text: string, locale: Locale): boolean {
  const words = [...segmenters[locale].segment(text)].filter(({ isWordLike }) => isWordLike)
  return words.length < 2 && words.every(({ segment }) => [...segment].length <= shortWord[locale])
}

function presentEdit({ same, removed, added }: Edit): WordChange[] {
  const changes: readonly WordChange[] = [
    { kind: 'same', text: same },
    { kind: 'removed', text: removed },
    { kind: 'added', text: added },
  ]
  return changes.filter(({ text }) => text !== '')
}
