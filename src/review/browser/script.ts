import { openComment, startComments } from './comments.js'
import { startFilters } from './filters.js'
import { startKeys } from './keys.js'

startFilters()
startComments()
startKeys(openComment)

// On paper the facts stand beside their texts.
const closed: HTMLDetailsElement[] = []
addEventListener('beforeprint', () => {
  closed.push(...document.querySelectorAll<HTMLDetailsElement>('.about details:not([open])'))
  for (const details of closed) details.open = true
})
addEventListener('afterprint', () => {
  for (const details of closed.splice(0)) details.open = false
})

// What the keys lead to comes to rest below the filters, however many lines they take.
const bar = document.querySelector('.filters')
if (bar !== null) {
  new ResizeObserver(() => {
    const height = getComputedStyle(bar).position === 'sticky' ? bar.getBoundingClientRect().height : 0
    document.documentElement.style.setProperty('--bar', `${height + 8}px`)
  }).observe(bar)
}
