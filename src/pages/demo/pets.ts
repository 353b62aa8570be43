import type { AnimationTask, AvatarTask, DiaryTask, HomeCards, Insight, Selection, Species } from './answers.js'
import { isEnded } from './follow.js'

/** A pet on this page, and its results so far. */
export interface Pet {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly species: Species
  /** Address of its photo. */
  readonly photo: string
  /** The photo itself, if it is not a sample. */
  readonly file?: File
  avatar?: AvatarTask
  animation?: AnimationTask
  diary?: { readonly selection: ExplainedSelection | undefined; readonly drawn: DiaryTask | undefined }
  cards?: HomeCards
  insight?: { readonly locale: string; readonly said: Insight }
}

export interface ExplainedSelection extends Selection {
  /** The reason in words, for the day as it was chosen. */
  readonly reason: string
}

export const userId = 'demo'

/** The name of a pet without a name. */
export const unnamed = 'Your pet'

export const samples: readonly Pet[] = [
  { id: 'sample-dog', userId, name: 'Rex', species: 'dog', photo: 'demo/photos/dog.jpg' },
  { id: 'sample-cat', userId, name: 'Chelsea', species: 'cat', photo: 'demo/photos/cat.jpg' },
]

type PetListener = (pet: Pet, isOther: boolean) => void

/** True if everything about the pet is drawn by the server itself: then nothing that the page asks for costs money. */
export const isFree = ({ avatar }: Pet): boolean => avatar?.provider === 'stub'

/** True if there are pictures of the pet, and no more are being drawn. */
export const isDrawn = ({ avatar }: Pet): boolean =>
  avatar !== undefined && isEnded(avatar) && avatar.status !== 'failed'

/** True if the pet is drawn, and its avatar task is not in `seen`, to which it is then added. */
export function isNewlyDrawn(pet: Pet, seen: Set<string>): boolean {
  const { task_id = '' } = pet.avatar ?? {}
  if (!isDrawn(pet) || seen.has(task_id)) return false
  seen.add(task_id)
  return true
}

/** The pets of the page, one of them current. Listeners are called for every change of a pet. */
export class Pets {
  readonly #pets = new Map(samples.map((pet) => [pet.id, { ...pet }]))
  readonly #listeners: PetListener[] = []
  #current: Pet
  /** True if the user chose the current pet. */
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

  onChange(listener: PetListener): void {
    this.#listeners.push(listener)
  }

  show(pet: Pet): void {
    this.#current = pet
    this.isChosen = true
    for (const listener of this.#listeners) listener(pet, true)
  }

  /** Notifies the listeners of a changed pet. */
  changed(pet: Pet): void {
    for (const listener of this.#listeners) listener(pet, false)
  }
}
