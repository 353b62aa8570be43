import { examples, getElement } from './page.js'

const selects = ['show', 'metric', 'window', 'status'] as const
type SelectName = (typeof selects)[number]

const search = getElement('q', HTMLInputElement)
const shown = getElement('shown', HTMLOutputElement)
const nothing = getElement('nothing', HTMLElement)
const scenarios = [...document.querySelectorAll<HTMLElement>('.scenario')]
const select = (name: SelectName) => getElement(name, HTMLSelectElement)

/** Folds case, accents and full-width forms, so that a search ignores them. */
const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const haystacks = new Map(
  examples.map((example) => {
    const said = [...example.querySelectorAll('h3, .derived, .words, .changes, code')].map(
      ({ textContent }) => textContent,
    )
    const heading = example.parentElement?.querySelector('h2')?.textContent ?? ''
    return [example, fold([heading, ...said].join(' '))]
  }),
)

/** Returns the values of an example that a select filters by. */
const valuesOf = (example: HTMLElement, name: SelectName) => (example.dataset[name] ?? '').split(' ')

/** Shows the examples that match, updates the count of each option, and stores the choices in the address. */
export function applyFilters(): void {
  const words = fold(search.value).split(/\s+/).filter(Boolean)
  const found = examples.filter((example) => words.every((word) => haystacks.get(example)?.includes(word)))
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
  for (const scenario of scenarios) scenario.hidden = scenario.querySelector('.example:not([hidden])') === null
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

function changeFilters(): void {
  applyFilters()
  const choices = new URLSearchParams()
  for (const { name, value } of [search, ...selects.map(select)]) if (value !== '') choices.set(name, value)
  // An address without `=` is the ID of an element, such as a scenario.
  history.replaceState(null, '', `#${choices.size === 0 ? '' : choices}`)
}

function readAddress(): void {
  const text = location.hash.slice(1)
  const choices = new URLSearchParams(text.includes('=') ? text : '')
  if (text !== '' && choices.size === 0) {
    const place = document.getElementById(text)
    // A link to a filtered element clears the filters.
    if (place?.closest('[hidden]') != null) {
      clearFilters()
      place.scrollIntoView()
    }
    return
  }
  search.value = choices.get('q') ?? ''
  for (const name of selects) {
    select(name).value = choices.get(name) ?? ''
    if (select(name).selectedIndex === -1) select(name).value = ''
  }
  applyFilters()
}

export function startFilters(): void {
  const form = search.form
  if (form === null) return
  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  search.addEventListener('input', changeFilters)
  for (const name of selects) select(name).addEventListener('change', changeFilters)
  for (const button of document.querySelectorAll('[data-action=clear]')) button.addEventListener('click', clearFilters)
  window.addEventListener('hashchange', readAddress)
  applyFilters()
  readAddress()
}
