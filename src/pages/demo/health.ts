import { get, getChoice, make } from '../shared/dom.js'
import type { Insight, Species } from './answers.js'
import { readFile } from './api.js'
import { getKey } from './key.js'
import type { KeyForm } from './key-form.js'
import { type Pet, type Pets, unnamed } from './pets.js'
import { Step } from './step.js'

/**
 * Starts the step that writes a paragraph about a sample payload for the current pet, in three languages. `fill` writes one
 * unless the pet has one.
 */
export function startHealth(pets: Pets, key: KeyForm): { fill(): void } {
  const step = new Step('#health')
  const fixtures = new FixtureChoice()
  const paragraph = get(HTMLElement, '#paragraph')
  const empty = [...paragraph.children]

  const write = (changes: object = {}) => {
    const pet = pets.current
    const activity = step.of(pet.id)
    const locale = getChoice('health-locale')
    void activity.runNext(async () => {
      activity.say('Writing…')
      await fixtures.load()
      const payload = (await (await readFile(`demo/fixtures/${fixtures.chosen}`)).json()) as object
      const json = { ...payload, ...describePet(pet, locale), locale, ...changes }
      const said = await activity.call<Insight>({ method: 'POST', path: 'v1/health-detail-insights/generate', json })
      pet.insight = { locale, said }
      pets.changed(pet)
      activity.say('')
      activity.sayCost('Chosen by rules: no model is called, and nothing is paid.')
    })
  }

  const show = ({ insight }: Pet) => {
    paragraph.lang = insight?.locale ?? 'en'
    paragraph.replaceChildren(...(insight === undefined ? empty : draw(insight.said)))
  }

  const writeWithKey = () => {
    if (key.require()) write()
  }
  const fill = () => {
    if (getKey() !== '' && pets.current.insight === undefined) write()
  }
  get(HTMLButtonElement, '#write').addEventListener('click', () => writeWithKey())
  get(HTMLButtonElement, '#break').addEventListener('click', () => {
    if (!key.require()) return
    delete pets.current.insight
    paragraph.replaceChildren(
      make('p', {}, 'The payload has the schemaVersion "health-detail-v2", which is not valid.'),
    )
    write({ schemaVersion: 'health-detail-v2' })
  })
  fixtures.onChoice(() => writeWithKey())
  get(HTMLElement, '#health-locale').addEventListener('change', () => writeWithKey())
  step.followPets(pets)
  pets.onChange((pet, isOther) => {
    if (isOther) fixtures.offer(pet.species)
    if (isOther) fill()
    if (pet === pets.current) show(pet)
  })
  fixtures.offer(pets.current.species)
  void step.of(pets.current.id).run(() => fixtures.load())
  return { fill }
}

/** Returns the fields that attribute a sample to the current pet. */
function describePet({ id, name, species, userId }: Pet, locale: string): object {
  const called = name === unnamed ? (unnamedIn[locale] ?? name) : name
  return { userId, petId: id, petProfile: { name: called, species } }
}

/** The name of an unnamed pet inside a sentence. */
const unnamedIn: Readonly<Record<string, string>> = { 'en-US': 'your pet', 'zh-CN': '你家毛孩子', es: 'tu mascota' }

function draw({ status, summary, supplement }: Insight): HTMLElement[] {
  return [
    make('span', { class: 'chip', lang: 'en', 'data-status': status }, status),
    make('p', {}, summary),
    ...(supplement ? [make('p', { class: 'supplement' }, supplement)] : []),
  ]
}

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
class FixtureChoice {
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
