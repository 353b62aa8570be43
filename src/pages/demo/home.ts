import { get, getChoice, make } from '../shared/dom.js'
import type { HomeCards } from './answers.js'
import type { KeyForm } from './key-form.js'
import { type Pet, type Pets, unnamed } from './pets.js'
import { Step } from './step.js'

/** The cards of a pet's home page. */
export function startHome(pets: Pets, key: KeyForm): void {
  const step = new Step('#home')
  const name = get(HTMLInputElement, '#home-name')
  const form = get(HTMLFormElement, '#home-form')

  const write = (pet: Pet) => {
    const work = step.of(pet.id)
    const json = { user_id: pet.userId, pet_id: pet.id, pet_name: name.value || null, ...readDay(pet) }
    return work.runNext(async () => {
      work.say('Writing…')
      const cards = await work.call<HomeCards>({ method: 'POST', path: 'v1/home-insights/generate', json })
      pet.cards = cards
      pets.changed(pet)
      work.say(`${cards.insights.length} ${cards.insights.length === 1 ? 'card' : 'cards'}.`)
      await work.showCost(pet)
    })
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (key.require()) void write(pets.current)
  })
  // Once there are cards, or they are being written, they follow the language.
  get(HTMLElement, '#home-locale').addEventListener('change', () => {
    const { cards, id } = pets.current
    if ((cards !== undefined || step.of(id).isBusy) && form.reportValidity()) void write(pets.current)
  })
  step.followPets(pets)
  pets.onChange((pet, isOther) => {
    // Without one, the cards find a word of their own.
    if (isOther) name.value = pet.name === unnamed ? '' : pet.name
    if (pet === pets.current) show(pet)
  })
  name.value = pets.current.name
}

function show({ cards }: Pet): void {
  const list = get(HTMLOListElement, '#cards')
  get(HTMLElement, '#no-cards').hidden = cards !== undefined
  list.lang = cards?.locale ?? ''
  list.replaceChildren(...(cards?.insights ?? []).map(drawCard))
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
