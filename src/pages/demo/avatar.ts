import { type AvatarTask, type Created, poses } from './answers.js'
import { type Call, CallError, type Exchange, readFile, send, toAddress, toOwnAddress } from './api.js'
import { follow, insist, isEnded, wait } from './follow.js'
import { type KeptTask, keepTask } from './key.js'
import { type Pet, type Pets, samples, userId } from './pets.js'
import type { Step } from './step.js'

/** Draws pets in four poses: sends their photo and follows the task. */
export class Avatars {
  readonly #step: Step
  readonly #pets: Pets

  constructor(step: Step, pets: Pets) {
    this.#step = step
    this.#pets = pets
    step.followPets(pets)
    pets.onChange((pet, isOther) => {
      if (isOther && pet.avatar !== undefined) void step.of(pet.id).showCost(pet)
    })
  }

  /** Has a pet drawn; `onTaken` is called when the server has taken its photo. */
  draw(pet: Pet, onTaken = () => {}): Promise<void> {
    const work = this.#step.of(pet.id)
    return work.run(async () => {
      work.say(`Sending the photo of ${pet.name}…`)
      const file = pet.file ?? (await readSample(pet))
      const { task_id, poll_after_seconds } = await work.call<Created>(toCall(pet, file, ['pet_name', pet.name]))
      keepTask({ id: task_id, name: pet.name, species: pet.species, photo: file.name })
      onTaken()
      work.say(`Drawing ${pet.name} in four poses…`)
      await wait(poll_after_seconds ?? 0)
      await this.#follow(pet, task_id)
    })
  }

  /** Says no more what went wrong with the pet in front. */
  hideProblem(): void {
    this.#step.of(this.#pets.current.id).hideProblem()
  }

  /** Follows a task that was begun before this page was loaded, and gives its pet once it has ended. */
  async adopt(kept: KeptTask): Promise<Pet | undefined> {
    const known = this.#pets.all.find(({ avatar }) => avatar?.task_id === kept.id)
    const pet = known ?? (await this.#find(kept))
    if (pet === undefined || (pet.avatar !== undefined && isEnded(pet.avatar))) return pet
    if (!this.#pets.isChosen) this.#pets.show(pet)
    const work = this.#step.of(pet.id)
    await work.run(async () => {
      work.note(toEarlier(pet, kept))
      await this.#follow(pet, kept.id)
    })
    return pet
  }

  /** The pet of a task; until it is known, what goes wrong is said of the pet in front. */
  async #find(kept: KeptTask): Promise<Pet | undefined> {
    const front = this.#step.of(this.#pets.current.id)
    try {
      const task = await insist(
        () => send<AvatarTask>({ method: 'GET', path: toPath(kept.id) }),
        (error) => front.showProblem(error),
      )
      front.hideProblem()
      return this.#pets.find(task.pet_id) ?? this.#pets.add(toPet(task, kept))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      front.showProblem(error)
      return undefined
    }
  }

  async #follow(pet: Pet, taskId: string): Promise<void> {
    const work = this.#step.of(pet.id)
    await follow<AvatarTask>(
      () => work.call({ method: 'GET', path: toPath(taskId) }),
      (task) => {
        work.hideProblem()
        pet.avatar = task
        work.say(describe(pet, task))
        this.#pets.changed(pet)
      },
      (error) => work.showProblem(error),
    )
    await work.showCost(pet)
  }
}

const toPath = (taskId: string) => `v1/pet-avatar/tasks/${taskId}`

function toCall({ id, photo, species, file }: Pet, sent: File, ...more: readonly [string, string][]): Call {
  return {
    method: 'POST',
    path: 'v1/pet-avatar/generate',
    form: [
      // A sample can be had from the server.
      file === undefined ? ['source_image', sent, photo] : ['source_image', sent],
      ['species', species],
      ['user_id', userId],
      ['pet_id', id],
      ...more,
    ],
  }
}

/** The call that began a task: `svc demo` sends samples, without a name; all others this page sent itself. */
function toEarlier(pet: Pet, { name, photo }: KeptTask): Exchange {
  const madeBy = name === undefined ? 'made by svc demo' : 'made before this page was loaded'
  const sent = new File([], photo ?? nameFile(pet.photo))
  const isSample = samples.some(({ id }) => id === pet.id)
  const asSent = isSample ? pet : { ...pet, file: sent }
  const call = name === undefined ? toCall(asSent, sent) : toCall(asSent, sent, ['pet_name', name])
  return { call, durationMs: 0, madeBy }
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
  const bytes = await (await readFile(photo)).blob()
  return new File([bytes], nameFile(photo), { type: bytes.type })
}

function nameFile(photo: string): string {
  const { pathname } = toAddress(photo)
  return pathname.slice(pathname.lastIndexOf('/') + 1)
}
