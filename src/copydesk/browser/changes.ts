import type { Locale } from '../../insight/types.js'
import type { WordChange } from '../word-diff.js'
import { createElement } from './page.js'

/** Creates a paragraph with the words that were removed and added, as the page itself has them. */
export function createChanges(changes: readonly WordChange[], locale: Locale): HTMLElement {
  const paragraph = createElement('p', 'changes')
  paragraph.lang = locale
  paragraph.dir = 'auto'
  for (const { kind, text } of changes) {
    if (kind === 'same') {
      paragraph.append(text)
      continue
    }
    const element = createElement(kind === 'added' ? 'ins' : 'del')
    const said = createElement('span', 'said', ` ${kind}: `)
    said.lang = 'en'
    element.append(said, text, createElement('span', 'said', ' '))
    paragraph.append(element)
  }
  return paragraph
}
