import { listReviewed } from './languages.js'
import { getNote, setNote } from './notes.js'
import { createElement, getElement, setMark } from './page.js'
import { type TextTarget, targets } from './targets.js'

const boxes = new Map<TextTarget, HTMLInputElement>()
const total = getElement('read', HTMLProgressElement)
const count = getElement('read-count', HTMLOutputElement)

/** Adds a box to each text that tells whether it was read. A tick is for the words: it goes when they change. */
export function startTicks(): void {
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
export function toggleExample(example: HTMLElement): void {
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
export function countTicks(): void {
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
