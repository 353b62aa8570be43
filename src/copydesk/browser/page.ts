import type { PageData } from '../page/data.js'
import { formatDate } from '../page/words.js'

/** Returns the element with an ID. Throws if it does not exist: page and script are built together. */
export function getElement<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`The page has no element ${id}.`)
  return element
}

export const data: PageData = JSON.parse(getElement('data', HTMLScriptElement).text)

/** Set if a program serves the page. */
export const { served } = data

/** Creates an element with a class and a text, which is never parsed as markup. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (className !== '') element.className = className
  element.textContent = text
  return element
}

/** Creates a button. `label` describes it in full for screen readers. */
export function createButton(text: string, onClick: () => void, label = text): HTMLButtonElement {
  const button = createElement('button', '', text)
  button.type = 'button'
  if (label !== text) button.setAttribute('aria-label', label)
  button.addEventListener('click', onClick)
  return button
}

export function createLabel(text: string, control: HTMLElement): HTMLLabelElement {
  const element = createElement('label', '', text)
  element.append(control)
  return element
}

/** Creates a count of the characters of a field, which appears before the limit and marks the field beyond it. */
export function countCharacters(field: HTMLTextAreaElement, limit: number): HTMLElement {
  const shown = createElement('p', 'length')
  shown.setAttribute('role', 'status')
  const show = () => {
    const { length } = field.value
    const isOver = length > limit
    const count = `${length.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} characters`
    shown.hidden = length < limit * 0.9
    shown.textContent = isOver
      ? `${count}: shorten it by ${(length - limit).toLocaleString('en-US')} to keep it.`
      : count
    shown.classList.toggle('finding', isOver)
    if (isOver) field.setAttribute('aria-invalid', 'true')
    else if (shown.dataset.over === 'true') field.removeAttribute('aria-invalid')
    shown.dataset.over = String(isOver)
  }
  field.addEventListener('input', show)
  // The field gets its first value after this.
  setTimeout(show)
  return shown
}

/** Sets or removes a mark of an example, by which the filters find it. */
export function setMark(example: HTMLElement, mark: string, isSet: boolean): void {
  const marks = new Set((example.dataset.show ?? '').split(' '))
  if (isSet) marks.add(mark)
  else marks.delete(mark)
  example.dataset.show = [...marks].join(' ')
}

let hiding: ReturnType<typeof setTimeout> | undefined

/** Shows a message for a while; `undo` adds a button that reverts the action. */
export function tell(message: string, undo?: () => void): void {
  const status = getElement('told', HTMLElement)
  status.textContent = message
  clearTimeout(hiding)
  hiding = setTimeout(() => status.replaceChildren(), undo === undefined ? 8_000 : 20_000)
  if (undo === undefined) return
  const button = createButton('Undo', () => {
    undo()
    status.textContent = ''
  })
  status.append(' ', button)
}

/** The scenarios of the page, each with its examples in order. */
export const scenarios = [...document.querySelectorAll<HTMLElement>('.scenario')].map((section) => {
  const template = section.querySelector('template')
  const others = template?.content.querySelectorAll<HTMLElement>('.example') ?? []
  const own = [...section.querySelectorAll<HTMLElement>('.example'), ...others]
  template?.remove()
  return { section, examples: own.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))) }
})

/** All examples. Those that the filters hide are not in the document, which would take seconds to open with all of them. */
export const examples: readonly HTMLElement[] = scenarios.flatMap((scenario) => scenario.examples)

/** Writes the dates of a part of the page in the language of the reader. */
export function translateDates(part: ParentNode): void {
  for (const element of part.querySelectorAll<HTMLElement>('[data-date]')) {
    element.textContent = formatDate(element.dataset.date ?? '', navigator.language)
    element.lang = navigator.language
  }
}

/** Returns the title of an example, with its dates in the language of the reader. */
export function titleOf(example: HTMLElement): string {
  const heading = example.querySelector('h3')
  if (heading !== null) translateDates(heading)
  return heading?.textContent ?? ''
}

const beginnings: ((example: HTMLElement) => void)[] = []
const begun = new Set<HTMLElement>()

/** Has `begin` run for each example before it is shown for the first time. */
export const onFirstShown = (begin: (example: HTMLElement) => void) => beginnings.push(begin)

/** Puts the examples that are not hidden into the document, in order. Those that stay are not moved: one may be typed into. */
export function placeExamples(): void {
  for (const { examples: own, section } of scenarios) {
    let last: Element | null = section.querySelector('h2')
    for (const example of own) {
      if (example.hidden) {
        example.remove()
        continue
      }
      if (!begun.has(example)) {
        begun.add(example)
        translateDates(example)
        for (const begin of beginnings) begin(example)
      }
      if (last?.nextElementSibling !== example) last?.after(example)
      last = example
    }
    section.hidden = section.querySelector('.example') === null
  }
}
