import { formatDate, localeNames, replaceDates } from '../page/words.js'
import { startApproval } from './approval.js'
import { openComment, startComments } from './comments.js'
import { startEditing } from './editor.js'
import { isChosen, startFilters } from './filters.js'
import { listReviewed, startLanguages } from './languages.js'
import { getNote, setNote } from './notes.js'
import { type Keeping, startOutbox } from './outbox.js'
import {
  createElement,
  examples,
  getElement,
  onFirstShown,
  scenarios,
  served,
  setMark,
  translateDates,
} from './page.js'
import { startReload } from './reload.js'
import { startStory } from './story.js'
import { factsOf, onTextShown, type TextTarget, targetsOf } from './targets.js'

const total = getElement('read', HTMLProgressElement)
const count = getElement('read-count', HTMLOutputElement)

/** Adds a box to each text that tells whether it was read. A tick is for the words: it goes when they change. */
function startTicks(): void {
  onTextShown((target) => {
    const box = createElement('input', 'tick-box')
    box.type = 'checkbox'
    box.checked = isTicked(target)
    box.setAttribute('aria-label', `Read: the ${localeNames[target.locale]} text of “${target.title}”`)
    box.addEventListener('change', () => tick([target], box.checked))
    const label = createElement('label', 'tick', 'Read')
    label.prepend(box)
    target.element.querySelector('.cell')?.prepend(label)
  })
}

/** Marks the texts of an example as read, or as unread if they all were, in the languages that the reader reviews. */
function toggleExample(example: HTMLElement): void {
  const own = listReviewedOf(example)
  tick(own, !own.every(isTicked))
}

function tick(ticked: readonly TextTarget[], isRead: boolean): void {
  for (const target of ticked) {
    setNote(keyOf(target), isRead ? toMark(target.said) : undefined)
    const box = target.element.querySelector<HTMLInputElement>('.tick-box')
    if (box !== null) box.checked = isRead
  }
  countTicks()
}

/** Counts what was read of the chosen examples, in all and of each sentence. */
function countTicks(): void {
  let [all, allDone] = [0, 0]
  for (const { examples: own, section } of scenarios) {
    const chosen = own.filter(isChosen)
    const texts = chosen.flatMap(listReviewedOf)
    const done = texts.filter(isTicked).length
    all += texts.length
    allDone += done
    for (const example of chosen) setMark(example, 'unread', !listReviewedOf(example).every(isTicked))
    const link = document.querySelector<HTMLElement>(`.contents [data-scenario="${section.id}"]`)
    const shown = link?.querySelector('.count') ?? null
    if (shown !== null) shown.textContent = `${done}/${texts.length}`
    link?.classList.toggle('done', texts.length > 0 && done === texts.length)
  }
  total.max = all
  total.value = allDone
  count.textContent = `${allDone} of ${all} read`
}

const isTicked = (target: TextTarget) => getNote(keyOf(target)) === toMark(target.said)
const listReviewedOf = (example: HTMLElement) =>
  targetsOf(example).filter(({ locale }) => listReviewed().includes(locale))
const keyOf = ({ exampleId, locale }: TextTarget) => `read ${locale} ${exampleId}`

/** Returns a short mark of a text (FNV-1a): the page keeps hundreds. */
function toMark(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}

/** Lists the facts of an example when the reader opens them, and all of them for print. */
function startFacts(): void {
  onFirstShown((example) => {
    const details = example.querySelector<HTMLDetailsElement>('.about details')
    details?.addEventListener('toggle', () => fillFacts(details, example))
  })
  const closed: HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('.about details:not([open])')) {
      const example = details.closest<HTMLElement>('.example')
      if (example !== null) fillFacts(details, example)
      details.open = true
      closed.push(details)
    }
  })
  addEventListener('afterprint', () => {
    for (const details of closed.splice(0)) details.open = false
  })
}

function fillFacts(details: HTMLElement, example: HTMLElement): void {
  if (details.querySelector('dl') !== null) return
  const list = createElement('dl')
  for (const [name, value] of factsOf(example)) {
    const words = replaceDates(value, (date) => formatDate(date, navigator.language))
    list.append(createElement('dt', '', name), createElement('dd', '', words))
  }
  details.append(list)
}

/** Moves between examples and scenarios by keys, and acts on the current one. */
function startKeys(): void {
  const enabled = getElement('keys', HTMLInputElement)
  document.addEventListener('keydown', (event) => {
    const { target } = event
    if (event.key === 'Escape' && target instanceof HTMLInputElement) target.blur()
    const isTyping =
      target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null
    if (isTyping || !enabled.checked || event.ctrlKey || event.metaKey || event.altKey) return
    if (press(event.key)) event.preventDefault()
  })
}

function press(key: string): boolean {
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
    toggleExample(example)
    return go(visible, 1)
  }
  if (!/^[123]$/.test(key) || example === undefined) return false
  openComment(example, Number(key) - 1)
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

/** Says whether everything typed is saved. */
function startKeeping(): void {
  if (served === undefined) return
  const shown = getElement('kept', HTMLOutputElement)
  const show = (state: Keeping) => {
    const isProblem = typeof state === 'object'
    shown.textContent = isProblem ? state.problem : state === 'kept' ? 'All changes saved' : 'Saving…'
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

translateDates(document)
startLanguages(countTicks)
startTicks()
startFacts()
startComments()
startEditing()
startFilters(countTicks)
startApproval()
startStory()
startContents()
startKeys()
startKeeping()
startReload()
