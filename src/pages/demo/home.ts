import { get, getChoice, make } from '../shared/dom.js'
import type { HomeCards } from './answers.js'
import { getKey } from './key.js'
import type { KeyForm } from './key-form.js'
import { type Pet, type Pets, unnamed } from './pets.js'
import { Step } from './step.js'

/** Starts the step that writes the cards of a pet's home page. `fill` writes them unless the current pet has some. */
export function startHome(pets: Pets, key: KeyForm): { fill(): void } {
  const step = new Step('#home')
  const name = get(HTMLInputElement, '#home-name')
  const form = get(HTMLFormElement, '#home-form')
  const weather = get(HTMLSelectElement, '#home-weather')

  const write = (pet: Pet) => {
    const activity = step.of(pet.id)
    const json = { user_id: pet.userId, pet_id: pet.id, pet_name: name.value || null, ...readDay(pet) }
    return activity.runNext(async () => {
      activity.say('Writing…')
      const cards = await activity.call<HomeCards>({ method: 'POST', path: 'v1/home-insights/generate', json })
      pet.cards = cards
      pets.changed(pet)
      activity.say(`${cards.insights.length} ${cards.insights.length === 1 ? 'card' : 'cards'}.`)
      await activity.showCost(pet)
    })
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (key.require()) void write(pets.current)
  })
  // Each change of the form is followed at once.
  const follow = () => {
    if (getKey() !== '' && form.reportValidity()) void write(pets.current)
  }
  form.addEventListener('change', follow)
  // The cards share the date of the diary.
  get(HTMLInputElement, '#date').addEventListener('change', follow)
  get(HTMLElement, '#weather').addEventListener('change', () => {
    // Any weather of the diary leaves the cards theirs.
    weather.value = getChoice('weather') || weather.value
    follow()
  })
  // Cards are free, so each pet gets some.
  const fill = () => {
    if (getKey() !== '' && pets.current.cards === undefined && form.checkValidity()) void write(pets.current)
  }
  step.followPets(pets)
  pets.onChange((pet, isOther) => {
    // Without a name, the cards say "your dog" or "your cat".
    if (isOther) name.value = pet.name === unnamed ? '' : pet.name
    if (isOther) fill()
    if (pet === pets.current) show(pet)
  })
  name.value = pets.current.name
  return { fill }
}

function show({ cards }: Pet): void {
  const list = get(HTMLOListElement, '#cards')
  get(HTMLElement, '#no-cards').hidden = cards !== undefined
  list.lang = cards?.locale ?? ''
  list.replaceChildren(...(cards?.insights ?? []).map(drawCard))
}

/** Returns the facts of the day from the form and the page. */
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
