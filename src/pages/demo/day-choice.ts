import { get, getChoice, make } from '../shared/dom.js'
import type { Scene } from './answers.js'
import { ignoreCallError, send } from './api.js'
import type { Pet } from './pets.js'

/** The diary form's facts of a day, and the scenes that it offers. */
export class DayChoice {
  readonly #scene = get(HTMLSelectElement, '#scene')
  readonly #holiday = get(HTMLSelectElement, '#holiday')
  readonly #date = get(HTMLInputElement, '#date')
  #scenes: readonly Scene[] = []

  constructor() {
    this.#date.value = toLocalDate(new Date())
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
    fill(
      this.#holiday,
      fitting.filter(({ category }) => category !== 'common'),
    )
  }

  title(sceneId = ''): string {
    return this.#scenes.find(({ scene_id }) => scene_id === sceneId)?.title['en-US'] ?? sceneId
  }

  /** Returns the day of a pet as the body of a selection. */
  read({ id, userId, species }: Pet): object {
    const value = (selector: string) => get(HTMLSelectElement, selector).value || null
    return {
      user_id: userId,
      pet_id: id,
      date: this.#date.value,
      facts: {
        species,
        weather: getChoice('weather'),
        holiday: this.#holiday.value || null,
        location: value('#location'),
        mood: value('#mood'),
      },
    }
  }
}

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
