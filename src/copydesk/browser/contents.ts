/** Shows the list of contents at the side of a wide screen, and folded above the texts of a narrow one. */
export function startContents(): void {
  const details = document.querySelector<HTMLDetailsElement>('.contents details')
  if (details === null) return
  const wide = matchMedia('(min-width: 72rem)')
  const show = () => {
    details.open = wide.matches
  }
  wide.addEventListener('change', show)
  show()
  details.addEventListener('click', ({ target }) => {
    const isLink = target instanceof Element && target.closest('a') !== null
    if (isLink && !wide.matches) details.open = false
  })
  keepBelowBar()
}

/** Keeps the targets of keys and links below the filters, at any height. */
function keepBelowBar(): void {
  const bar = document.querySelector('.filters')
  if (bar === null) return
  new ResizeObserver(() => {
    const height = getComputedStyle(bar).position === 'sticky' ? bar.getBoundingClientRect().height : 0
    document.documentElement.style.setProperty('--bar', `${height + 8}px`)
  }).observe(bar)
}
