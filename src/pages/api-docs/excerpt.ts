import { make } from '../shared/dom.js'

const shownCharacters = 150

/** Cuts a text around the first word found, and marks the words. */
export function makeExcerpt(text: string, terms: readonly string[]): (Node | string)[] {
  const words = terms.map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`(${words.join('|')})`, 'gi')
  const first = words.length === 0 ? -1 : text.search(pattern)
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - 40)) + 1)
  const cut = text.slice(start, start + shownCharacters)
  const parts = words.length === 0 ? [cut] : cut.split(pattern)
  return [
    ...(start > 0 ? ['… '] : []),
    // Every second part is a match.
    ...parts.map((part, index) => (index % 2 === 1 ? make('mark', {}, part) : part)),
    ...(start + shownCharacters < text.length ? ['…'] : []),
  ]
}
