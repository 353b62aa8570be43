import { openComment, startComments } from './comments.js'
import { startFilters } from './filters.js'
import { startKeys } from './keys.js'

startFilters()
startComments()
startKeys(openComment)

// Expand the facts for print.
const closed: HTMLDetailsElement[] = []
addEventListener('beforeprint', () => {
  closed.push(...document.querySelectorAll<HTMLDetailsElement>('.about details:not([open])'))
  for (const details of closed) details.open = true
})
addEventListener('afterprint', () => {
  for (const details of closed.splice(0)) details.open = false
})

// Keep the target of the keys below the filters, at any height.
const bar = document.querySelector('.filters')
if (bar !== null) {
  new ResizeObserver(() => {
    const height = getComputedStyle(bar).position === 'sticky' ? bar.getBoundingClientRect().height : 0
    document.documentElement.style.setProperty('--bar', `${height + 8}px`)
  }).observe(bar)
}
