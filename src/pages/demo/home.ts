import { get, getChoice, make } from '../shared/dom.js'
import type { HomeCards } from './answers.js'
import type { KeyForm } from './key-form.js'
import type { Pet, Pets } from './pets.js'
import { Step } from './step.js'

/** The cards of a pet's home page. */
export function startHome(pets: Pets, key: KeyForm): void {
  const step = new Step('#home')
  const name = get(HTMLInputElement, '#home-name')
  const list = get(HTMLOListElement, '#cards')
  const empty = get(HTMLElement, '#no-cards')
  const form = get(HTMLFormElement, '#home-form')

  const write = (pet: Pet) =>
    step.run('cards', async () => {
      const json = { user_id: pet.userId, pet_id: pet.id, pet_name: name.value || null, ...readDay(pet) }
      const cards = await step.call<HomeCards>({ method: 'POST', path: 'v1/home-insights/generate', json })
      empty.hidden = true
      list.lang = cards.locale
      list.replaceChildren(...cards.insights.map(drawCard))
      step.say(`${cards.insights.length} ${cards.insights.length === 1 ? 'card' : 'cards'}.`)
      await step.showCost(pet)
    })

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (key.require()) void write(pets.current)
  })
  // Once there are cards, they follow the language.
  get(HTMLElement, '#home-locale').addEventListener('change', () => {
    if (list.childElementCount > 0 && form.reportValidity()) void write(pets.current)
  })
  pets.onChange((pet, isOther) => {
    if (!isOther) return
    step.clear()
    list.replaceChildren()
    empty.hidden = false
    name.value = pet.name
  })
  name.value = pets.current.name
}

/** What the form and the page know of the day. */
function readDay({ species, diary }: Pet): object {
  const number = (selector: string) => get(HTMLInputElement, selector).valueAsNumber
  return {
    species,
    locale: getChoice('home-locale'),
    date: get(HTMLInputElement, '#date').value || null,
    facts: {
      activity_minutes: number('#home-active'),
      activity_goal_minutes: number('#home-goal'),
      rest_minutes: Math.round(number('#home-rest') * 60),
      weather: get(HTMLSelectElement, '#home-weather').value,
      diary_ready: diary?.drawn?.status === 'success',
    },
  }
}

function drawCard({ type, title, body }: HomeCards['insights'][number]): HTMLLIElement {
  return make('li', { class: 'card', 'data-type': type }, make('h3', {}, title), make('p', {}, body))
}
