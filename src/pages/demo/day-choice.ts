import { get, getChoice, make, setChoice } from '../shared/dom.js'
import type { Scene } from './answers.js'
import { ignoreCallError, send } from './api.js'
import type { KeptDay } from './key.js'
import type { Pet } from './pets.js'
import type { DayFacts } from './reason.js'

/** The holidays on chips, as scenes; the other ones are in a list. */
const chips = ['birthday', 'adoption_day', 'thanksgiving_day', 'christmas_day', 'independence_day']

/** The diary form's facts of a day, and the scenes that it offers. Opens on today, without a holiday. */
export class DayChoice {
  readonly #scene = get(HTMLSelectElement, '#scene')
  readonly #holidays = get(HTMLFieldSetElement, '#holidays')
  readonly #others = get(HTMLSelectElement, '#holiday')
  readonly #date = get(HTMLInputElement, '#date')
  #scenes: readonly Scene[] = []
  #isDateChosen = false

  constructor() {
    this.#date.value = toLocalDate(new Date())
    // Registered before the form's listeners: a choice in one place ends that in the other.
    this.#others.addEventListener('change', () => this.#press(undefined))
    this.#scene.addEventListener('change', () => this.#show())
    for (const facts of listFacts()) facts.addEventListener('change', () => this.choose(''))
    this.#date.addEventListener('change', () => {
      this.#isDateChosen = true
      this.choose('')
    })
    this.#show()
  }

  /** The chosen scene; empty for the best of the day. */
  get sceneId(): string {
    return this.#scene.value
  }

  /** Loads the list of scenes, which needs a key. */
  async load(): Promise<void> {
    const path = 'v1/app-metadata/diary-image-library-scenes'
    // Without the list, the best scene can still be selected.
    const answer = await send<{ scenes: Scene[] }>({ method: 'GET', path }).catch(ignoreCallError)
    this.#scenes = answer?.scenes ?? []
  }

  /** Offers the scenes for a pet. */
  offer({ species }: Pet): void {
    const fitting = this.#scenes.filter((scene) => scene.species === 'all' || scene.species === species)
    fill(this.#scene, fitting)
    const holidays = fitting.filter(({ category }) => category !== 'common')
    fill(
      this.#others,
      holidays.filter(({ scene_id }) => !chips.includes(scene_id)),
    )
    if (this.#holidays.querySelector('button') !== null) return
    const pressed = holidays.filter(({ scene_id }) => chips.includes(scene_id))
    pressed.sort((one, other) => chips.indexOf(one.scene_id) - chips.indexOf(other.scene_id))
    this.#others.before(...pressed.map((scene) => this.#makeChip(scene)))
  }

  title(sceneId = ''): string {
    return this.#find(sceneId)?.title['en-US'] ?? sceneId
  }

  /** Returns the choices, to be restored. */
  keep(): KeptDay {
    const [weather, location, mood] = [getChoice('weather'), getChoice('location'), getChoice('mood')]
    return {
      ...{ weather, location, mood, holiday: this.#holiday, sceneId: this.sceneId },
      ...(this.#isDateChosen && { date: this.#date.value }),
    }
  }

  /** Shows choices of a pet; call it after `offer`. */
  restore({ weather, location, mood, holiday, sceneId, date }: KeptDay): void {
    const isOtherWeather = weather !== getChoice('weather')
    for (const [name, value] of Object.entries({ weather, location, mood })) setChoice(name, value)
    // The cards follow the weather. The event also ends the choice of a scene.
    if (isOtherWeather) get(HTMLElement, '#weather').dispatchEvent(new Event('change'))
    this.#press(this.#holidays.querySelector<HTMLButtonElement>(`[data-scene="${holiday}"]`) ?? undefined)
    this.#others.value = chips.includes(holiday) ? '' : holiday
    this.#scene.value = sceneId
    this.#isDateChosen = date !== undefined
    this.#date.value = date ?? toLocalDate(new Date())
    this.#show()
  }

  /** Chooses a scene. */
  choose(sceneId: string): void {
    this.#scene.value = sceneId
    this.#show()
  }

  /** Returns the day of a pet as the body of a selection. */
  read({ id, userId, species }: Pet) {
    return {
      user_id: userId,
      pet_id: id,
      date: this.#date.value,
      facts: {
        species,
        weather: getChoice('weather') || null,
        holiday: this.#holiday || null,
        location: getChoice('location') || null,
        mood: getChoice('mood') || null,
      },
    }
  }

  /** True for the scene of a holiday if the reader chose neither a holiday nor a date. */
  isPreset(sceneId: string): boolean {
    if (this.#isDateChosen || this.#holiday !== '') return false
    return (this.#find(sceneId)?.category ?? 'common') !== 'common'
  }

  /** Returns the facts of a day for a sentence about the chosen scene. */
  describe(
    { name }: Pet,
    sceneId: string,
    { weather, location, mood }: ReturnType<DayChoice['read']>['facts'],
  ): DayFacts {
    return { name, weather, location, mood, category: this.#find(sceneId)?.category ?? '' }
  }

  get #holiday(): string {
    return this.#holidays.querySelector<HTMLElement>('[aria-pressed=true]')?.dataset.scene ?? this.#others.value
  }

  #find(sceneId: string): Scene | undefined {
    return this.#scenes.find(({ scene_id }) => scene_id === sceneId)
  }

  #makeChip({ scene_id, title }: Scene): HTMLButtonElement {
    const attributes = { type: 'button', class: 'chip-button', 'data-scene': scene_id, 'aria-pressed': 'false' }
    const chip = make('button', attributes, title['en-US'] ?? scene_id)
    chip.addEventListener('click', () => {
      this.#press(chip.ariaPressed === 'true' ? undefined : chip)
      this.#others.value = ''
      chip.dispatchEvent(new Event('change', { bubbles: true }))
    })
    return chip
  }

  #press(chip: HTMLButtonElement | undefined): void {
    for (const other of this.#holidays.querySelectorAll('button')) other.ariaPressed = String(other === chip)
  }

  /** Shows that a chosen scene leaves nothing to the facts of the day. */
  #show(): void {
    for (const facts of listFacts()) facts.classList.toggle('overruled', this.sceneId !== '')
    get(HTMLElement, '#overruled').hidden = this.sceneId === ''
  }
}

const listFacts = () => document.querySelectorAll<HTMLFieldSetElement>('#diary-form fieldset')

const categories: Readonly<Record<string, string>> = {
  common: 'Any day',
  federal_holiday: 'Holidays',
  personal: 'The pet’s own days',
  species_day: 'Days of dogs and cats',
}

/** Offers scenes by category, after the first option. */
function fill(select: HTMLSelectElement, scenes: readonly Scene[]): void {
  const { value } = select
  const groups = Object.entries(categories).flatMap(([category, label]) => {
    const options = scenes
      .filter((scene) => scene.category === category)
      .map(({ scene_id, title }) => make('option', { value: scene_id }, title['en-US'] ?? scene_id))
    return options.length === 0 ? [] : [make('optgroup', { label }, ...options)]
  })
  select.replaceChildren(...[...select.children].slice(0, 1), ...groups)
  select.value = value
  if (select.selectedIndex < 0) select.selectedIndex = 0
}

/** `YYYY-MM-DD` in the time zone of the browser. */
function toLocalDate(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
