import { get } from '../shared/dom.js'
import { type AnimationTask, type Created, type IdentityAsset, poses } from './answers.js'
import { ignoreCallError, send } from './api.js'
import { isEnded, wait } from './follow.js'
import { keepFacts, listTasks } from './key.js'
import { isFree, type Pet, type Pets } from './pets.js'
import type { Playback } from './playback.js'
import { hasClip } from './stage.js'
import { Step } from './step.js'

/** Animates the poses as loops: on its own where that is free and the reader likes motion, otherwise on request. */
export class PoseLoops {
  readonly #pets: Pets
  readonly #playback: Playback
  readonly #hero: Step
  readonly #button = get(HTMLButtonElement, '#animate')
  readonly #step = new Step('#motion', () => this.#show(this.#pets.current))
  /** The avatar tasks whose clips were looked for. */
  readonly #begun = new Set<string>()

  /** The cost of a pet is shown in `hero`, the step that contains this one. */
  constructor(pets: Pets, playback: Playback, hero: Step) {
    this.#hero = hero
    this.#pets = pets
    this.#playback = playback
    this.#step.followPets(pets)
    pets.onChange((pet) => {
      if (pet !== pets.current) return
      this.#show(pet)
      void this.#begin(pet)
    })
    this.#button.addEventListener('click', () => {
      if (this.#button.ariaDisabled !== 'true') void this.#animate(pets.current)
    })
  }

  /** Once a pet is drawn, continues with its clips, or makes them if that is free. */
  async #begin(pet: Pet): Promise<void> {
    const { avatar } = pet
    if (avatar === undefined || !isEnded(avatar) || avatar.status === 'failed' || this.#begun.has(avatar.task_id))
      return
    this.#begun.add(avatar.task_id)
    // Without a response, the button looks again.
    const made = await findAnimation(pet).catch(ignoreCallError)
    if (made !== undefined) await this.#step.of(pet.id).run(() => this.#follow(pet, made))
    else if (isFree(pet) && !this.#playback.isPaused) await this.#animate(pet)
  }

  #animate(pet: Pet): Promise<void> {
    const activity = this.#step.of(pet.id)
    return activity.run(async () => {
      activity.say(`${pet.name} begins to move…`)
      // Existing clips are not paid for again, except failed ones.
      const made = pet.animation === undefined ? await findAnimation(pet) : undefined
      await this.#follow(pet, made ?? (await this.#create(pet)))
    })
  }

  async #create(pet: Pet): Promise<string> {
    const { task_id, poll_after_seconds } = await this.#step.of(pet.id).call<Created>({
      method: 'POST',
      path: 'v1/pet-animation/generate',
      json: { avatar_task_id: pet.avatar?.task_id },
    })
    if (pet.avatar !== undefined) keepFacts(pet.avatar.task_id, { animation: task_id })
    await wait(poll_after_seconds ?? 0)
    return task_id
  }

  async #follow(pet: Pet, taskId: string): Promise<void> {
    const activity = this.#step.of(pet.id)
    await activity.follow<AnimationTask>(`v1/pet-animation/tasks/${taskId}`, (task) => {
      pet.animation = task
      const isStill = this.#playback.isPaused && this.#playback.isReduced
      activity.say(isStill ? `${describe(pet, task)} ${reduced}` : describe(pet, task))
      this.#pets.changed(pet)
    })
    await this.#hero.of(pet.id).showCost(pet)
  }

  #show(pet: Pet): void {
    const { animation, avatar, id } = pet
    const { isBusy } = this.#step.of(id)
    this.#playback.offer(poses.some((pose) => hasClip(pet, pose)))
    const isDrawn = avatar !== undefined && isEnded(avatar) && avatar.status !== 'failed'
    const isMade = animation?.status === 'success'
    // Uses aria-disabled, since `disabled` would lose the focus.
    this.#button.ariaDisabled = String(isBusy)
    this.#button.textContent = animation === undefined || isBusy ? 'Make it move' : 'Try again'
    if (isMade && document.activeElement === this.#button) this.#playback.focus()
    this.#button.hidden = !isDrawn || isMade || (isBusy && document.activeElement !== this.#button)
  }
}

/** Finds the newest animation of a pet; for a partial success, the newest of this tab. Throws `CallError`. */
async function findAnimation({ avatar }: Pet): Promise<string | undefined> {
  if (avatar?.identity_asset_id == null) return listTasks().find(({ id }) => id === avatar?.task_id)?.animation
  const path = `v1/pet-avatars/${avatar.identity_asset_id}`
  return (await send<IdentityAsset>({ method: 'GET', path })).animation_task_id ?? undefined
}

const reduced = 'This device asks for reduced motion: Play shows it.'

/** Says which clips are ready, by the names of their poses. */
function describe({ name }: Pet, { images, status }: AnimationTask): string {
  if (status === 'success') return `${name} moves.`
  const asked = poses.filter((pose) => images[pose] !== undefined)
  const ready = asked.filter((pose) => images[pose]?.status === 'success')
  const failures = asked.flatMap((pose) => images[pose]?.error_message ?? []).map((message) => ` ${message}`)
  const names = ready.length === 0 ? '' : `: ${ready.join(', ')}`
  return `${ready.length} of ${asked.length} clips ${ready.length === 1 ? 'is' : 'are'} ready${names}.${failures.join('')}`
}
