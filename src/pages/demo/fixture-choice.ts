import { get, make } from '../shared/dom.js'
import type { Species } from './answers.js'
import { readFile } from './api.js'

/** A sample payload. */
interface SampleFile {
  readonly file: string
  readonly scenario: string
  /** The condition of the scenario, in words. */
  readonly condition: string
  readonly variant?: string
}

const first = 'REST_NIGHT_GOOD.json'

/** The examples on chips, the first eight that the species has; all samples are in the list. */
const examples: readonly (readonly [file: string, label: string])[] = [
  [first, 'A good night'],
  ['REST_NIGHT_POOR.json', 'A restless night'],
  ['ACTIVITY_TODAY_BELOW_GOAL.json', 'Today so far'],
  ['ACTIVITY_DAY_HIGH.json', 'A lively day'],
  ['ACTIVITY_PERIOD_MIXED_DAYS.json', 'A mixed week'],
  ['VITAL_DAY_OUT_OF_RANGE.json', 'Heart rate'],
  ['BARK_DAY_FREQUENT.json', 'Barking'],
  ['VITAL_PERIOD_IN_RANGE.json', 'A steady week'],
  ['INSUFFICIENT_DATA.json', 'Too little data'],
]
const examplesAtMost = 8

const subjects: readonly (readonly [prefix: string, label: string])[] = [
  ['ACTIVITY_', 'Activity'],
  ['REST_', 'Rest'],
  ['VITAL_', 'Heart and breathing'],
  ['BARK_', 'Barking'],
  ['', 'More'],
]

/** The choice of a sample payload: eight examples, and all. */
export class FixtureChoice {
  readonly #chips = get(HTMLFieldSetElement, '#examples')
  readonly #all = get(HTMLElement, '#all-fixtures')
  readonly #select = get(HTMLSelectElement, '#fixture')
  readonly #condition = get(HTMLElement, '#condition')
  #fixtures: readonly SampleFile[] = []
  #species: Species = 'dog'

  constructor() {
    this.#select.addEventListener('change', () => this.#show())
    // Registered before other listeners, so that they read the choice.
    this.#chips.addEventListener('change', (event) => {
      const { value } = event.target as HTMLInputElement
      this.#all.hidden = value !== ''
      if (value === '') this.#select.focus()
      else this.#select.value = value
      this.#show()
    })
  }

  get chosen(): string {
    return this.#select.value
  }

  onChoice(listener: () => void): void {
    this.#select.addEventListener('change', listener)
    this.#chips.addEventListener('change', listener)
  }

  /** Loads the list. Throws `CallError`. */
  async load(): Promise<void> {
    if (this.#fixtures.length > 0) return
    this.#fixtures = (await (await readFile('demo/fixtures.json')).json()) as SampleFile[]
    this.offer(this.#species)
  }

  /** Offers the samples for the species: cats have no barking. */
  offer(species: Species): void {
    this.#species = species
    const chosen = this.chosen || first
    const fitting = this.#fixtures.filter(({ file }) => species === 'dog' || !/bark/i.test(file))
    const groups = subjects.map(([prefix, label]) => {
      const options = fitting
        .filter((fixture) => findPrefix(fixture) === prefix)
        .map((fixture) => make('option', { value: fixture.file }, nameShortly(fixture, prefix)))
      return make('optgroup', { label }, ...options)
    })
    this.#select.replaceChildren(...groups.filter((group) => group.childElementCount > 0))
    this.#select.value = fitting.some(({ file }) => file === chosen) ? chosen : first
    const fittingExamples = examples.filter(([file]) => species === 'dog' || !/bark/i.test(file))
    const chips = [...fittingExamples.slice(0, examplesAtMost), ['', 'All'] as const]
    this.#chips.replaceChildren(...[...this.#chips.children].slice(0, 1), ...chips.map(makeChip))
    this.#show()
  }

  /** Checks the example that the list has chosen, and describes it. */
  #show(): void {
    const inputs = [...this.#chips.querySelectorAll('input')]
    const input = this.#all.hidden ? inputs.find(({ value }) => value === (this.chosen || first)) : undefined
    const checked = input ?? inputs.at(-1)
    if (checked !== undefined) checked.checked = true
    this.#all.hidden = checked?.value !== ''
    const fixture = this.#fixtures.find(({ file }) => file === this.chosen)
    this.#condition.textContent = fixture === undefined ? '' : `Said for: ${fixture.condition}.`
  }
}

function makeChip([file, label]: readonly [string, string]): HTMLLabelElement {
  return make('label', {}, make('input', { type: 'radio', name: 'example', value: file }), make('span', {}, label))
}

const findPrefix = ({ scenario }: SampleFile) => subjects.find(([prefix]) => scenario.startsWith(prefix))?.[0]

/** Returns `Night, good: did not wake` for a sample of REST_NIGHT_GOOD, whose subject is the group's label. */
function nameShortly({ scenario, variant }: SampleFile, prefix: string): string {
  const [frame = '', ...rest] = scenario.slice(prefix.length).toLowerCase().split('_')
  const words = prefix === '' ? [[frame, ...rest].join(' ')] : [frame, rest.join(' ')].filter(Boolean)
  const name = words.join(', ') + (variant === undefined ? '' : `: ${spellOut(variant)}`)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const short: Readonly<Record<string, string>> = { hr: 'heart rate', hrv: 'HRV', rr: 'breathing rate' }

const spellOut = (variant: string) => variant.replaceAll(/\b(?:hrv?|rr)\b/g, (word) => short[word] ?? word)
