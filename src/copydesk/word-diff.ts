import { diffArrays } from 'diff'
import { byLocale, type Locale } from '../insight/types.js'

/** A run of words that is in both texts (`same`), only in the newer (`added`) or only in the older one (`removed`). */
export interface WordChange {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

const segmenters = byLocale((locale) => new Intl.Segmenter(locale, { granularity: 'word' }))

/**
 * Compares two texts of a language the way a reader does: neighboring changes become one removal and one addition, and
 * absorb a lone short word between them. `Intl.Segmenter` finds Chinese words, which have no spaces.
 * Lossless: all runs but `added` give the older text, all but `removed` the newer one.
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

/** Compares word by word: the fewest removals and additions, however often they alternate. */
export function compareWords(older: string, newer: string, locale: Locale): readonly WordChange[] {
  return listEdits(older, newer, locale).flatMap(presentEdit)
}

/** Unchanged words, and the change that follows them. */
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

/** Joins two changes if the result has a removal and an addition, and at most a short word is between them. */
function mayJoin(former: Edit, { same, removed, added }: Edit, locale: Locale): boolean {
  const isChange = former.removed + former.added !== '' && removed + added !== ''
  return isChange && former.removed + removed !== '' && former.added + added !== '' && isShort(same, locale)
}

const join = (former: Edit, { same, removed, added }: Edit): Edit => ({
  same: former.same,
  removed: former.removed + same + removed,
  added: former.added + same + added,
})

/** Moves leading white space that both sides share out of the change. */
function freeStart({ same, removed, added }: Edit): Edit {
  const [space = ''] = /^\s*/.exec(removed) ?? []
  if (space === '' || added === '' || /^\s*/.exec(added)?.[0] !== space) return { same, removed, added }
  return { same: same + space, removed: removed.slice(space.length), added: added.slice(space.length) }
}

/** Moves trailing white space that both sides share into the next run. */
function freeEnd(later: readonly Edit[], { same, removed, added }: Edit): readonly Edit[] {
  const [space = ''] = /\s*$/.exec(removed) ?? []
  if (space === '' || added === '' || /\s*$/.exec(added)?.[0] !== space) return [{ same, removed, added }, ...later]
  const [next = { same: '', removed: '', added: '' }, ...others] = later
  const cut = { same, removed: removed.slice(0, -space.length), added: added.slice(0, -space.length) }
  return [cut, { ...next, same: space + next.same }, ...others]
}

/** Maximum length in characters of a function word such as "a", "de", "with" or 的. */
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
