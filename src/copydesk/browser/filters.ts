import { examples, getElement, placeExamples, scenarios, translateDates } from './page.js'
import { factsOf } from './targets.js'

const selects = ['show', 'metric', 'window', 'status'] as const
type SelectName = (typeof selects)[number]

const search = getElement('q', HTMLInputElement)
const shown = getElement('shown', HTMLOutputElement)
const nothing = getElement('nothing', HTMLElement)
/** Checked: only the examples that the page opens with, one for each wording, and those with comments. */
const brief = getElement('brief', HTMLInputElement)
const select = (name: SelectName) => getElement(name, HTMLSelectElement)

/** Folds case, accents and full-width forms, so that a search ignores them. */
const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

let haystacks: ReadonlyMap<HTMLElement, string> | undefined

/** Returns the words of each example, the first time that the reader searches. */
function listWords(): ReadonlyMap<HTMLElement, string> {
  const said = (parts: Iterable<Element>) => [...parts].map(({ textContent }) => textContent).join(' ')
  haystacks ??= new Map(
    scenarios.flatMap(({ examples: own, section }) => {
      const heading = said(section.querySelectorAll('h2'))
      return own.map((example) => {
        translateDates(example)
        const words = said(example.querySelectorAll('h3, .derived, .words, .changes, code'))
        return [example, fold(`${heading} ${words} ${factsOf(example).at(-1)}`)] as const
      })
    }),
  )
  return haystacks
}

/** Returns the values of an example that a select filters by. */
const valuesOf = (example: HTMLElement, name: SelectName) => (example.dataset[name] ?? '').split(' ')

/** True if an example is among those that the reader chose to read. */
export const isChosen = (example: HTMLElement) =>
  !brief.checked || valuesOf(example, 'show').some((mark) => mark === 'first' || mark === 'commented')

/** Shows the examples that match, updates the count of each option, and stores the choices in the address. */
export function applyFilters(): void {
  const words = fold(search.value).split(/\s+/).filter(Boolean)
  const matches = (example: HTMLElement) => words.every((word) => listWords().get(example)?.includes(word))
  const found = examples.filter((example) => isChosen(example) && matches(example))
  const fits = (example: HTMLElement, except?: SelectName) =>
    selects.every(
      (name) => name === except || select(name).value === '' || valuesOf(example, name).includes(select(name).value),
    )
  for (const name of selects)
    countOptions(
      name,
      found.filter((example) => fits(example, name)),
    )
  const visible = new Set(found.filter((example) => fits(example)))
  for (const example of examples) example.hidden = !visible.has(example)
  placeExamples()
  shown.textContent = `${visible.size} of ${examples.length}`
  nothing.hidden = visible.size > 0
}

function countOptions(name: SelectName, among: readonly HTMLElement[]): void {
  for (const option of select(name).options) {
    option.dataset.label ??= option.text
    const count =
      option.value === '' ? among.length : among.filter((one) => valuesOf(one, name).includes(option.value)).length
    option.text = `${option.dataset.label} (${count})`
  }
}

export function clearFilters(): void {
  search.value = ''
  for (const name of selects) select(name).value = ''
  changeFilters()
}

/** Shows all examples that match, not only those that the page opens with. */
function showAll(): void {
  brief.checked = false
  changeFilters()
}

function changeFilters(): void {
  refresh()
  const choices = new URLSearchParams()
  for (const { name, value } of [search, ...selects.map(select)]) if (value !== '') choices.set(name, value)
  if (!brief.checked) choices.set('examples', 'all')
  // An address without `=` is the ID of an element, such as a scenario.
  history.replaceState(null, '', `#${choices.size === 0 ? '' : choices}`)
}

function refresh(): void {
  countChosen()
  applyFilters()
}

let countChosen = (): void => undefined

function readAddress(): void {
  const text = location.hash.slice(1)
  const choices = new URLSearchParams(text.includes('=') ? text : '')
  const isLink = text !== '' && choices.size === 0
  if (!isLink) {
    search.value = choices.get('q') ?? ''
    brief.checked = choices.get('examples') !== 'all'
    for (const name of selects) {
      select(name).value = choices.get(name) ?? ''
      if (select(name).selectedIndex === -1) select(name).value = ''
    }
  }
  refresh()
  if (isLink) goTo(text)
}

/** Goes to an element, also if the filters hide it. */
function goTo(id: string): void {
  const place = document.getElementById(id) ?? examples.find((example) => example.id === id)
  if (place === undefined) return
  if (!place.isConnected || place.closest('[hidden]') !== null) {
    brief.checked &&= place.isConnected
    clearFilters()
  }
  place.scrollIntoView()
}

/** Filters from now on. `count` runs before each time: it marks what was read of the chosen examples. */
export function startFilters(count: () => void): void {
  const form = search.form
  if (form === null) return
  countChosen = count
  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  search.addEventListener('input', changeFilters)
  for (const field of [brief, ...selects.map(select)]) field.addEventListener('change', changeFilters)
  for (const button of document.querySelectorAll('[data-action=clear]')) button.addEventListener('click', clearFilters)
  document.querySelector('[data-action=all]')?.addEventListener('click', showAll)
  window.addEventListener('hashchange', readAddress)
  readAddress()
}
