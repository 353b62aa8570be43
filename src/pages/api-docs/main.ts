import { getKey } from '../demo/key.js'
import { copyFrom } from '../shared/copy.js'
import { get } from '../shared/dom.js'
import { startTheme } from '../shared/theme.js'
import { base, followOldAddress, startSearch } from './search.js'

const stored = 'svc.language'

/** Makes the tabs of all examples one choice, which the browser keeps. CSS shows the panels of the language. */
function startTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLButtonElement>('[data-tab]')]
  const show = (language: string | undefined) => {
    document.documentElement.dataset.language = language
    for (const tab of tabs) {
      const isShown = tab.dataset.tab === language
      tab.ariaSelected = String(isShown)
      tab.tabIndex = isShown ? 0 : -1
    }
  }
  const choose = (tab: HTMLButtonElement) => {
    const { top } = tab.getBoundingClientRect()
    localStorage.setItem(stored, tab.dataset.tab ?? '')
    show(tab.dataset.tab)
    // The examples above may be of another height now: the one in use stays where it is.
    scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' })
  }
  for (const tab of tabs) {
    tab.addEventListener('click', () => choose(tab))
    tab.addEventListener('keydown', ({ key }) => {
      const others = [...(tab.parentElement?.querySelectorAll<HTMLButtonElement>('[data-tab]') ?? [])]
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
      const next = step === undefined ? undefined : others.at((others.indexOf(tab) + step) % others.length)
      if (next === undefined) return
      choose(next)
      next.focus()
    })
  }
  show(document.documentElement.dataset.language)
  addEventListener('storage', ({ key, newValue }) => {
    if (key === stored && newValue !== null) show(newValue)
  })
}

/** Marks the current section in the table of contents, which on a narrow screen opens over the page. */
function startContents(): void {
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

/** The server and the key in the texts, replaced by those of the reader. */
const writtenBase = 'http://127.0.0.1:8787'
const writtenKey = 'svc_…'

/** Names this server in every example, and lets the reader copy it, with the key of this tab. */
function startCode(): void {
  const key = getKey()
  for (const block of document.querySelectorAll('pre code')) {
    const text = block.textContent ?? ''
    if (text.includes(writtenBase)) block.textContent = text.replaceAll(writtenBase, base)
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    const block = button.previousElementSibling
    if (!(block instanceof HTMLElement)) continue
    const isKeyed = key !== '' && block.textContent?.includes(writtenKey) === true
    // The key is copied and not shown: others may see the screen.
    if (isKeyed) button.textContent = 'Copy with the key of this tab'
    copyFrom(button, block, (text) => (isKeyed ? text.replaceAll(writtenKey, key) : text))
  }
}

startCode()
startTabs()
startTheme()
startContents()
startSearch()
void followOldAddress()
