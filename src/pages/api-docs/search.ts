import MiniSearch from 'minisearch'
import { get, make } from '../shared/dom.js'

/** A section of the guide, as the build lists them. */
interface Section {
  /** The address below `/api-docs`. */
  readonly id: string
  readonly anchor: string
  readonly title: string
  readonly page: string
  readonly text: string
}

const maxResults = 12

/** Opens the search by its button, Ctrl-K, ⌘K or `/`. */
export function startSearch(): void {
  const dialog = get(HTMLDialogElement, '#search')
  const query = get(HTMLInputElement, '#query', dialog)
  const results = get(HTMLElement, '#results', dialog)
  const found = get(HTMLElement, '#found', dialog)
  let index: Promise<MiniSearch<Section>> | undefined
  const open = () => {
    if (dialog.open) return
    index ??= loadIndex()
    dialog.showModal()
    query.select()
  }
  get(HTMLButtonElement, '#find').addEventListener('click', open)
  addEventListener('keydown', (event) => {
    const isTyped = event.target instanceof HTMLInputElement
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isShortcut && (event.key !== '/' || isTyped || dialog.open)) return
    event.preventDefault()
    open()
  })
  dialog.addEventListener('click', ({ target }) => {
    // A click outside of the dialog is one on its backdrop.
    if (target === dialog) dialog.close()
  })

  const activate = (option: Element | null) => {
    for (const other of results.children) other.ariaSelected = String(other === option)
    option?.scrollIntoView({ block: 'nearest' })
    query.setAttribute('aria-activedescendant', option?.id ?? '')
  }
  const find = async () => {
    const words = query.value.trim()
    const sections = (await index)?.search(words).slice(0, maxResults) ?? []
    // A newer query may have been typed.
    if (words !== query.value.trim()) return
    results.replaceChildren(
      ...sections.map((section, position) => renderResult(section as unknown as Section, section.terms, position)),
    )
    query.ariaExpanded = String(sections.length > 0)
    found.className = words !== '' && sections.length === 0 ? 'nothing' : 'hidden'
    found.textContent = words === '' ? '' : describeCount(sections.length, words)
    activate(results.firstElementChild)
  }
  query.addEventListener('input', () => void find())
  query.addEventListener('keydown', (event) => {
    const active = results.querySelector('[aria-selected=true]')
    // In a search field, Escape would only clear the text.
    if (event.key === 'Escape') dialog.close()
    if (event.key === 'Enter') {
      event.preventDefault()
      if (active instanceof HTMLAnchorElement) active.click()
    }
    const next = { ArrowDown: active?.nextElementSibling, ArrowUp: active?.previousElementSibling }[event.key]
    if (next === undefined) return
    event.preventDefault()
    if (next !== null) activate(next)
  })
  results.addEventListener('click', () => dialog.close())
}

/** An address of a section that is on another page, such as one of the time when the guide was one page, leads there. */
export async function followOldAddress(): Promise<void> {
  const anchor = decodeURIComponent(location.hash.slice(1))
  if (anchor === '' || document.getElementById(anchor) !== null) return
  const section = (await loadSections()).find((each) => each.anchor === anchor)
  if (section !== undefined) location.replace(`${base}/api-docs${section.id}`)
}

function describeCount(count: number, words: string): string {
  if (count === 0) return `Nothing in the guide matches “${words}”.`
  return count === 1 ? '1 section' : `${count} sections`
}

function renderResult({ id, title, page, text }: Section, terms: readonly string[], position: number): HTMLElement {
  return make(
    'a',
    {
      href: `${base}/api-docs${id}`,
      role: 'option',
      id: `result-${position}`,
      'aria-selected': 'false',
      tabindex: '-1',
    },
    make('strong', {}, title),
    page === title ? undefined : make('span', { class: 'page' }, page),
    make('span', { class: 'excerpt' }, ...makeExcerpt(text, terms)),
  )
}

async function loadSections(): Promise<readonly Section[]> {
  return (await fetch(`${base}/api-docs/search.json`)).json()
}

async function loadIndex(): Promise<MiniSearch<Section>> {
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'text'],
    searchOptions: {
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { title: 4, page: 2 },
    },
  })
  index.addAll(await loadSections())
  return index
}

const shownCharacters = 150

/** Cuts a text around the first word found, and marks the words. */
function makeExcerpt(text: string, terms: readonly string[]): (Node | string)[] {
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

/** The base URL of the server, which may be below a path. */
export const base = location.href.replace(/\/api-docs(?:\/[\w-]*)?(?:[?#].*)?$/, '')
