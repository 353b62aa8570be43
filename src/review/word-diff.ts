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
 * What changed between two texts of a language, word by word; Chinese words are found in a dictionary, as it has no spaces.
 * Nothing is lost, not even a space: what is not `added` is the older text, what is not `removed` the newer one.
 */
export function diffWords(older: string, newer: string, locale: Locale): readonly WordChange[] {
  const split = (text: string) => [...segmenters[locale].segment(text)].map(({ segment }) => segment)
  return diffArrays(split(older), split(newer)).map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }))
}
