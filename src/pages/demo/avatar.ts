import { type AvatarTask, type Created, poses } from './answers.js'
import { type FormField, readFile, toAddress, toOwnAddress } from './api.js'
import { follow, wait } from './follow.js'
import { type KeptTask, keepTask } from './key.js'
import { type Pet, type Pets, userId } from './pets.js'
import type { Step } from './step.js'

/** Draws pets in four poses: sends their photo and follows the task. */
export class Avatars {
  readonly #step: Step
  readonly #pets: Pets

  constructor(step: Step, pets: Pets) {
    this.#step = step
    this.#pets = pets
    pets.onChange((pet, isOther) => {
      if (!isOther) return
      step.clear()
      if (pet.avatar === undefined) return
      step.say(describe(pet, pet.avatar))
      void step.showCost(pet)
    })
  }

  draw(pet: Pet): Promise<void> {
    return this.#step.run(pet.id, async () => {
      this.#sayOf(pet, `Sending the photo of ${pet.name}…`)
      const photo: FormField =
        pet.file === undefined ? ['source_image', await readSample(pet), pet.photo] : ['source_image', pet.file]
      const { task_id, poll_after_seconds } = await this.#step.call<Created>({
        method: 'POST',
        path: 'v1/pet-avatar/generate',
        form: [photo, ['species', pet.species], ['user_id', userId], ['pet_id', pet.id], ['pet_name', pet.name]],
      })
      keepTask({ id: task_id, name: pet.name, species: pet.species })
      this.#sayOf(pet, `Drawing ${pet.name} in four poses…`)
      await wait(poll_after_seconds ?? 0)
      await this.#follow({ id: task_id })
    })
  }

  /** Follows a task that somebody else has begun, and shows its pet. */
  adopt(task: KeptTask): Promise<void> {
    return this.#step.run(task.id, () => this.#follow(task))
  }

  async #follow(kept: KeptTask): Promise<void> {
    let pet: Pet | undefined
    const task = await follow<AvatarTask>(
      () => this.#step.call({ method: 'GET', path: `v1/pet-avatar/tasks/${kept.id}` }),
      (seen) => {
        pet = this.#show(seen, kept)
      },
      (error) => this.#step.showProblem(error),
    )
    if (pet === undefined) return
    this.#sayOf(pet, describe(pet, task))
    if (pet === this.#pets.current) await this.#step.showCost(pet)
  }

  #show(task: AvatarTask, kept: KeptTask): Pet {
    this.#step.hideProblem()
    const pet = this.#pets.find(task.pet_id) ?? this.#pets.add(toPet(task, kept))
    pet.avatar = task
    if (!this.#pets.isChosen) this.#pets.show(pet)
    this.#sayOf(pet, describe(pet, task))
    this.#pets.changed(pet)
    return pet
  }

  /** Of two pets that are drawn at once, only the one in front is spoken of. */
  #sayOf(pet: Pet, text: string): void {
    if (pet === this.#pets.current) this.#step.say(text)
  }
}

/** A pet that this page knows only from its task. */
function toPet({ pet_id, user_id, source_url }: AvatarTask, { name = pet_id, species = 'dog' }: KeptTask): Pet {
  return { id: pet_id, userId: user_id, name, species, photo: toOwnAddress(source_url) }
}

export function describe({ name }: Pet, { images, status }: AvatarTask): string {
  const asked = poses.filter((pose) => images[pose] !== undefined)
  const drawn = asked.filter((pose) => images[pose]?.status === 'success')
  const failed = asked.filter((pose) => images[pose]?.status === 'failed')
  const faults = failed.map(
    (pose) => ` The ${pose} pose failed: ${images[pose]?.error_message ?? 'no reason was given.'}`,
  )
  if (status === 'success') return `${name} is ready in ${asked.length === 4 ? 'four' : asked.length} poses.`
  return `${drawn.length} of ${asked.length} poses of ${name} are drawn.${faults.join('')}`
}

async function readSample({ photo }: Pet): Promise<File> {
  const { pathname } = toAddress(photo)
  const bytes = await (await readFile(photo)).blob()
  return new File([bytes], pathname.slice(pathname.lastIndexOf('/') + 1), { type: bytes.type })
}
