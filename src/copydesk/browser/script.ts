import { startApproval } from './approval.js'
import { openComment, startComments } from './comments.js'
import { served } from './data.js'
import { startEditing } from './editor.js'
import { startFilters } from './filters.js'
import { listReviewed, startLanguages } from './languages.js'
import { getNote, setNote } from './notes.js'
import { type Keeping, startOutbox } from './outbox.js'
import { createElement, examples, getElement, setMark } from './page.js'
import { startReload } from './reload.js'
import { type TextTarget, targets } from './targets.js'

const boxes = new Map<TextTarget, HTMLInputElement>()
const total = getElement('read', HTMLProgressElement)
const count = getElement('read-count', HTMLOutputElement)

/** Adds a box to each text that tells whether it was read. A tick is for the words: it goes when they change. */
function startTicks(): void {
  for (const target of targets) {
    const box = createElement('input', 'tick-box')
    box.type = 'checkbox'
    box.checked = getNote(keyOf(target)) === toMark(target.said)
    box.setAttribute('aria-label', `Read: the ${target.language} text of “${target.title}”`)
    box.addEventListener('change', () => tick(target, box.checked))
    const label = createElement('label', 'tick', 'Read')
    label.prepend(box)
    target.element.querySelector('.cell')?.prepend(label)
    boxes.set(target, box)
  }
  countTicks()
}

/** Marks the texts of an example as read, or as unread if they all were, in the languages that the reader reviews. */
function toggleExample(example: HTMLElement): void {
  const own = listCounted().filter((target) => target.example === example)
  const isRead = !own.every(isTicked)
  for (const target of own) {
    const box = boxes.get(target)
    if (box !== undefined) box.checked = isRead
    tick(target, isRead)
  }
}

function tick(target: TextTarget, isRead: boolean): void {
  setNote(keyOf(target), isRead ? toMark(target.said) : undefined)
  countTicks()
}

/** Counts what was read in all and of each sentence. */
function countTicks(): void {
  const counted = listCounted()
  const read = counted.filter(isTicked)
  total.max = counted.length
  total.value = read.length
  count.textContent = `${read.length} of ${counted.length} read`
  for (const example of new Set(counted.map((target) => target.example))) {
    const own = counted.filter((target) => target.example === example)
    setMark(example, 'unread', !own.every(isTicked))
  }
  for (const link of document.querySelectorAll<HTMLElement>('.contents [data-scenario]')) {
    const own = counted.filter(({ example }) => example.parentElement?.id === link.dataset.scenario)
    const done = own.filter(isTicked).length
    const shown = link.querySelector('.count')
    if (shown !== null) shown.textContent = `${done}/${own.length}`
    link.classList.toggle('done', own.length > 0 && done === own.length)
  }
}

const isTicked = (target: TextTarget) => boxes.get(target)?.checked === true
const listCounted = () => {
  const reviewed = listReviewed()
  return targets.filter(({ locale }) => reviewed.includes(locale))
}
const keyOf = ({ exampleId, locale }: TextTarget) => `read ${locale} ${exampleId}`

/** Returns a short mark of a text (FNV-1a): the page keeps hundreds. */
function toMark(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}

/** Expands the facts for print. */
function startPrint(): void {
  const closed: HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    closed.push(...document.querySelectorAll<HTMLDetailsElement>('.about details:not([open])'))
    for (const details of closed) details.open = true
  })
  addEventListener('afterprint', () => {
    for (const details of closed.splice(0)) details.open = false
  })
}

/** The actions of keys on an example: to comment on its text in a column, and to mark it as read. */
interface Actions {
  readonly comment: (example: HTMLElement, column: number) => void
  readonly tick: (example: HTMLElement) => void
}

/** Moves between examples and scenarios by keys, and acts on the current one. */
function startKeys(actions: Actions): void {
  const enabled = getElement('keys', HTMLInputElement)
  document.addEventListener('keydown', (event) => {
    const { target } = event
    if (event.key === 'Escape' && target instanceof HTMLInputElement) target.blur()
    const isTyping =
      target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null
    if (isTyping || !enabled.checked || event.ctrlKey || event.metaKey || event.altKey) return
    if (press(event.key, actions)) event.preventDefault()
  })
}

function press(key: string, { comment, tick }: Actions): boolean {
  const visible = examples.filter(({ hidden }) => !hidden)
  if (key === 'j' || key === 'k') return go(visible, key === 'j' ? 1 : -1)
  if (key === 'n' || key === 'p') {
    return go(
      visible.filter((one, index) => visible[index - 1]?.parentElement !== one.parentElement),
      key === 'n' ? 1 : -1,
    )
  }
  if (key === '/') {
    getElement('q', HTMLInputElement).focus()
    return true
  }
  const example = visible[findCurrent(visible)]
  if (key === 'x' && example !== undefined) {
    tick(example)
    return go(visible, 1)
  }
  if (!/^[123]$/.test(key) || example === undefined) return false
  comment(example, Number(key) - 1)
  return true
}

function go(stops: readonly HTMLElement[], step: 1 | -1): boolean {
  const active = document.activeElement?.closest('.example') ?? undefined
  const at = findCurrent(stops)
  const isOn = stops[at] === active
  // From between two stops, forward goes to the next one and backward to the previous one.
  const next = stops[active === undefined && step === 1 ? Math.max(0, at) : isOn || step === 1 ? at + step : at]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'start' })
  return true
}

/**
 * Returns the index of the stop that has the focus, else of the last one before the focus, else of the first below the
 * filters.
 */
function findCurrent(stops: readonly HTMLElement[]): number {
  const active = document.activeElement?.closest('.example')
  if (active == null) {
    const bar = document.querySelector('.filters')?.getBoundingClientRect().bottom ?? 0
    return stops.findIndex((stop) => stop.getBoundingClientRect().top >= bar - 1)
  }
  return stops.findLastIndex(
    (stop) => stop === active || (stop.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  )
}

/** Says whether everything typed is kept. */
function startKeeping(): void {
  if (served === undefined) return
  const shown = getElement('kept', HTMLOutputElement)
  const show = (state: Keeping) => {
    const isProblem = typeof state === 'object'
    shown.textContent = isProblem ? state.problem : state === 'kept' ? 'All is kept' : 'Keeping…'
    shown.classList.toggle('problem', isProblem)
  }
  show('kept')
  startOutbox(show)
}

/** Shows the list of contents at the side of a wide screen, and folded above the texts of a narrow one. */
function startContents(): void {
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

startLanguages(countTicks)
startTicks()
startFilters()
startComments()
startEditing()
startApproval()
startContents()
startKeys({ comment: openComment, tick: toggleExample })
startPrint()
startKeeping()
startReload()
