import { get, make } from '../shared/dom.js'
import type { Species } from './answers.js'
import { readFile } from './api.js'

/** A sample payload. */
interface Fixture {
  readonly file: string
  readonly scenario: string
  /** The condition of the scenario, in words. */
  readonly condition: string
  readonly variant?: string
}

const first = 'REST_NIGHT_GOOD.json'

const subjects: readonly (readonly [prefix: string, label: string])[] = [
  ['ACTIVITY_', 'Activity'],
  ['REST_', 'Rest'],
  ['VITAL_', 'Heart and breathing'],
  ['BARK_', 'Barking'],
  ['', 'More'],
]

/** The choice of a sample payload. */
export class FixtureChoice {
  readonly #select = get(HTMLSelectElement, '#fixture')
  readonly #condition = get(HTMLElement, '#condition')
  #fixtures: readonly Fixture[] = []
  #species: Species = 'dog'

  constructor() {
    this.#select.addEventListener('change', () => this.#describe())
  }

  get chosen(): string {
    return this.#select.value
  }

  onChoice(listener: () => void): void {
    this.#select.addEventListener('change', listener)
  }

  /** Loads the list. Throws `CallError`. */
  async load(): Promise<void> {
    this.#fixtures = (await (await readFile('demo/fixtures.json')).json()) as Fixture[]
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
    this.#describe()
  }

  #describe(): void {
    const fixture = this.#fixtures.find(({ file }) => file === this.chosen)
    this.#condition.textContent = fixture === undefined ? '' : `Said for: ${fixture.condition}.`
  }
}

const findPrefix = ({ scenario }: Fixture) => subjects.find(([prefix]) => scenario.startsWith(prefix))?.[0]

/** Returns `Night, good: did not wake` for a sample of REST_NIGHT_GOOD, whose subject is the group's label. */
function nameShortly({ scenario, variant }: Fixture, prefix: string): string {
  const [frame = '', ...rest] = scenario.slice(prefix.length).toLowerCase().split('_')
  const words = prefix === '' ? [[frame, ...rest].join(' ')] : [frame, rest.join(' ')].filter(Boolean)
  const name = words.join(', ') + (variant === undefined ? '' : `: ${spellOut(variant)}`)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const short: Readonly<Record<string, string>> = { hr: 'heart rate', hrv: 'HRV', rr: 'breathing rate' }

const spellOut = (variant: string) => variant.replaceAll(/\b(?:hrv?|rr)\b/g, (word) => short[word] ?? word)
