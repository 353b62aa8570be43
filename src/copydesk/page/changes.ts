import { escapeHtml } from '../../text/html.js'
import type { WordChange } from '../word-diff.js'

/** Renders words that were removed and added. Marks and hidden text identify them without colour. */
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
