import { type AvatarTask, type Created, poses } from './answers.js'
import { type ApiCall, CallError, type Exchange, readFile, send, toAddress, toOwnAddress } from './api.js'
import { isEnded, retryTransient, wait } from './follow.js'
import { type KeptTask, keepTask } from './key.js'
import { type Pet, type Pets, samples, userId } from './pets.js'
import type { Step } from './step.js'

export type Avatars = ReturnType<typeof startAvatars>

/** Starts drawing pets in four poses: sends the photo of a pet and follows the task. */
export function startAvatars(step: Step, pets: Pets) {
  step.followPets(pets)
  pets.onChange((pet, isOther) => {
    if (isOther && pet.avatar !== undefined) void step.of(pet.id).showCost(pet)
  })

  /** Finds the pet of a task; until it is known, errors are shown for the current pet. */
  async function find(kept: KeptTask): Promise<Pet | undefined> {
    const front = step.of(pets.current.id)
    try {
      const task = await retryTransient(
        () => send<AvatarTask>({ method: 'GET', path: toPath(kept.id) }),
        (error) => front.showProblem(error),
      )
      front.hideProblem()
      return pets.find(task.pet_id) ?? pets.add(toPet(task, kept))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      front.showProblem(error)
      return undefined
    }
  }

  async function follow(pet: Pet, taskId: string): Promise<void> {
    const activity = step.of(pet.id)
    await activity.follow<AvatarTask>(toPath(taskId), (task) => {
      pet.avatar = task
      activity.say(describe(pet, task))
      pets.changed(pet)
    })
    await activity.showCost(pet)
  }

  return {
    /** Draws a pet; calls `onAccepted` when the server has accepted its photo. */
    draw(pet: Pet, onAccepted = () => {}): Promise<void> {
      const activity = step.of(pet.id)
      return activity.run(async () => {
        activity.say(`Sending the photo of ${pet.name}…`)
        const file = pet.file ?? (await readSample(pet))
        const call = toCall(pet, file, ['pet_name', pet.name])
        const { task_id, poll_after_seconds } = await activity.call<Created>(call)
        keepTask({ id: task_id, name: pet.name, species: pet.species, photo: file.name })
        onAccepted()
        activity.say(`Drawing ${pet.name} in four poses…`)
        await wait(poll_after_seconds ?? 0)
        await follow(pet, task_id)
      })
    },
    /** Hides the error of the current pet. */
    hideProblem: () => step.of(pets.current.id).hideProblem(),
    /** Follows a task that was created before this page was loaded. */
    async adopt(kept: KeptTask): Promise<void> {
      const pet = pets.all.find(({ avatar }) => avatar?.task_id === kept.id) ?? (await find(kept))
      if (pet === undefined || (pet.avatar !== undefined && isEnded(pet.avatar))) return
      if (!pets.isChosen) pets.show(pet)
      const activity = step.of(pet.id)
      await activity.run(async () => {
        activity.note(toEarlier(pet, kept))
        await follow(pet, kept.id)
      })
    },
  }
}

const toPath = (taskId: string) => `v1/pet-avatar/tasks/${taskId}`

function toCall({ id, photo, species, file }: Pet, sent: File, ...more: readonly [string, string][]): ApiCall {
  return {
    method: 'POST',
    path: 'v1/pet-avatar/generate',
    form: [
      // The server has the samples.
      file === undefined ? ['source_image', sent, photo] : ['source_image', sent],
      ['species', species],
      ['user_id', userId],
      ['pet_id', id],
      ...more,
    ],
  }
}

/** Reconstructs the call that created a task: `svc demo` sends samples without a name; this page sent all others. */
function toEarlier(pet: Pet, { name, photo }: KeptTask): Exchange {
  const madeBy = name === undefined ? 'made by svc demo' : 'made before this page was loaded'
  const sent = new File([], photo ?? nameFile(pet.photo))
  const isSample = samples.some(({ id }) => id === pet.id)
  const asSent = isSample ? pet : { ...pet, file: sent }
  const call = name === undefined ? toCall(asSent, sent) : toCall(asSent, sent, ['pet_name', name])
  return { call, durationMs: 0, madeBy }
}

/** Makes a pet that this page knows only from its task. */
function toPet({ pet_id, user_id, source_url }: AvatarTask, { name = pet_id, species = 'dog' }: KeptTask): Pet {
  return { id: pet_id, userId: user_id, name, species, photo: toOwnAddress(source_url) }
}

export function describe({ name }: Pet, { images, status }: AvatarTask): string {
  const asked = poses.filter((pose) => images[pose] !== undefined)
  const drawn = asked.filter((pose) => images[pose]?.status === 'success')
  const failed = asked.filter((pose) => images[pose]?.status === 'failed')
  const failures = failed.map(
    (pose) => ` The ${pose} pose failed: ${images[pose]?.error_message ?? 'no reason was given.'}`,
  )
  if (status === 'success') return `${name} is ready in ${asked.length === 4 ? 'four' : asked.length} poses.`
  return `${drawn.length} of ${asked.length} poses of ${name} are drawn.${failures.join('')}`
}

async function readSample({ photo }: Pet): Promise<File> {
  const bytes = await (await readFile(photo)).blob()
  return new File([bytes], nameFile(photo), { type: bytes.type })
}

function nameFile(photo: string): string {
  const { pathname } = toAddress(photo)
  return pathname.slice(pathname.lastIndexOf('/') + 1)
}
