import type { AnimationTask, AvatarTask, DiaryTask, HomeCards, Insight, Selection, Species } from './answers.js'

/** A pet on this page, and what there is of it so far. */
export interface Pet {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly species: Species
  /** Address of the photo that it begins with. */
  readonly photo: string
  /** The photo itself, where it is not a sample. */
  readonly file?: File
  avatar?: AvatarTask
  animation?: AnimationTask
  diary?: { readonly selection: Selection | undefined; readonly drawn: DiaryTask | undefined }
  cards?: HomeCards
  insight?: { readonly locale: string; readonly said: Insight }
}

export const userId = 'demo'

/** What a pet is called that got no name. */
export const unnamed = 'Your pet'

export const samples: readonly Pet[] = [
  { id: 'sample-dog', userId, name: 'Rex', species: 'dog', photo: 'demo/photos/dog.jpg' },
  { id: 'sample-cat', userId, name: 'Chelsea', species: 'cat', photo: 'demo/photos/cat.jpg' },
]

type Listener = (pet: Pet, isOther: boolean) => void

/** The pets of the page, one of them in front. Listeners hear of every change of that one. */
export class Pets {
  readonly #pets = new Map(samples.map((pet) => [pet.id, { ...pet }]))
  readonly #listeners: Listener[] = []
  #current: Pet
  /** Whether somebody chose the one in front. */
  isChosen = false

  constructor() {
    const [first] = this.#pets.values()
    if (first === undefined) throw new Error('There is no sample.')
    this.#current = first
  }

  get current(): Pet {
    return this.#current
  }

  get all(): readonly Pet[] {
    return [...this.#pets.values()]
  }

  find(id: string): Pet | undefined {
    return this.#pets.get(id)
  }

  add(pet: Pet): Pet {
    this.#pets.set(pet.id, pet)
    return pet
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener)
  }

  show(pet: Pet): void {
    this.#current = pet
    this.isChosen = true
    for (const listener of this.#listeners) listener(pet, true)
  }

  /** Tells what is new of a pet. */
  changed(pet: Pet): void {
    for (const listener of this.#listeners) listener(pet, false)
  }
}
