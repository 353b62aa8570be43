import { get } from '../shared/dom.js'

/** Marks the current section in the table of contents, which on a narrow screen opens over the page. */
export function startContents(): void {
  const contents = get(HTMLElement, '#contents')
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement && contents.matches(':popover-open')) contents.hidePopover()
  })
  const page = contents.querySelector('[aria-current=page]')
  if (page !== null) scrollTo(contents, page)

  const links = new Map(
    [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
  )
  const headings = [...document.querySelectorAll<HTMLElement>('main h2[id]')]
  const mark = () => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 4)
    for (const [id, link] of links) {
      if (id !== read?.id) link.removeAttribute('aria-current')
      else if (link.getAttribute('aria-current') === null) {
        link.setAttribute('aria-current', 'true')
        scrollTo(contents, link)
      }
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

/** Scrolls only the list, and only if the link is not in view: `scrollIntoView` would also move the page. */
function scrollTo(list: HTMLElement, link: Element): void {
  const { top, bottom } = list.getBoundingClientRect()
  const place = link.getBoundingClientRect()
  if (place.top < top || place.bottom > bottom) list.scrollTop += place.top - top - list.clientHeight / 3
}
