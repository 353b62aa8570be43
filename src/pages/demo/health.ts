import { get, getChoice, make } from '../shared/dom.js'
import type { Insight } from './answers.js'
import { readFile } from './api.js'
import { FixtureChoice } from './fixture-choice.js'
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

  const writeWithKey = (changes?: object) => {
    if (key.require()) write(changes)
  }
  const fill = () => {
    if (getKey() !== '' && pets.current.insight === undefined) write()
  }
  get(HTMLButtonElement, '#write').addEventListener('click', () => writeWithKey())
  get(HTMLButtonElement, '#break').addEventListener('click', () => writeWithKey({ schemaVersion: 'health-detail-v2' }))
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
