/** Marks the current section in the table of contents. */
export function markSection(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [link.hash.slice(1), link]),
  )
  const headings = [...document.querySelectorAll<HTMLElement>('main :is(h2, h3)[id]')]
  const mark = () => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 4) ?? headings[0]
    for (const [id, link] of links) {
      if (id === read?.id) markCurrent(link)
      else link.removeAttribute('aria-current')
    }
  }
  let isWaiting = false
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => {
        isWaiting = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}

function markCurrent(link: HTMLAnchorElement): void {
  if (link.getAttribute('aria-current') !== null) return
  link.setAttribute('aria-current', 'true')
  const list = link.closest('nav')
  if (list === null || list.scrollHeight <= list.clientHeight) return
  // Scrolls only the list: `scrollIntoView` would also move the page.
  list.scrollTop += link.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3
}
