import { escapeHtml } from './html.js'
import type { WordChange } from './word-diff.js'

/** Words taken out and put in, told apart without colour too, and said so to whoever listens. */
export function renderChanges(changes: readonly WordChange[]): string {
  return changes
    .map(({ kind, text }) => {
      const words = escapeHtml(text)
      if (kind === 'same') return words
      const [element, said] = kind === 'added' ? ['ins', 'put in'] : ['del', 'taken out']
      return `<${element}><span class="said" lang="en"> ${said}: </span>${words}<span class="said"> </span></${element}>`
    })
    .join('')
}
