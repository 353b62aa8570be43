import { get } from '../shared/dom.js'
import { type AnimationTask, type Created, type IdentityAsset, poses } from './answers.js'
import { ignoreCallError, send } from './api.js'
import { wait } from './follow.js'
import { keepFacts, listTasks } from './key.js'
import { isDrawn, isFree, isNewlyDrawn, type Pet, type Pets } from './pets.js'
import type { Playback } from './playback.js'
import { hasClip } from './stage.js'
import { Step } from './step.js'

/**
 * Animates the poses as loops: on its own where that is free and the reader likes motion, otherwise on request. The cost of a pet
 * is shown in `hero`, the step that contains this one.
 */
export function startMotion(pets: Pets, playback: Playback, hero: Step): void {
  const button = get(HTMLButtonElement, '#animate')
  const step = new Step('#motion', () => show(pets.current))
  /** The avatar tasks whose clips were looked for. */
  const begun = new Set<string>()

  /** Once a pet is drawn, continues with its clips, or makes them if that is free. */
  async function begin(pet: Pet): Promise<void> {
    if (!isNewlyDrawn(pet, begun)) return
    // Without a response, the button looks again.
    const made = await findAnimation(pet).catch(ignoreCallError)
    if (made !== undefined) await step.of(pet.id).run(() => follow(pet, made))
    else if (isFree(pet) && !playback.isPaused) await animate(pet)
  }

  function animate(pet: Pet): Promise<void> {
    const activity = step.of(pet.id)
    return activity.run(async () => {
      activity.say(`${pet.name} begins to move…`)
      // Existing clips are not paid for again, except failed ones.
      const made = pet.animation === undefined ? await findAnimation(pet) : undefined
      await follow(pet, made ?? (await create(pet)))
    })
  }

  async function create(pet: Pet): Promise<string> {
    const { task_id, poll_after_seconds } = await step.of(pet.id).call<Created>({
      method: 'POST',
      path: 'v1/pet-animation/generate',
      json: { avatar_task_id: pet.avatar?.task_id },
    })
    if (pet.avatar !== undefined) keepFacts(pet.avatar.task_id, { animation: task_id })
    await wait(poll_after_seconds ?? 0)
    return task_id
  }

  async function follow(pet: Pet, taskId: string): Promise<void> {
    const activity = step.of(pet.id)
    await activity.follow<AnimationTask>(`v1/pet-animation/tasks/${taskId}`, (task) => {
      pet.animation = task
      const isStill = playback.isPaused && playback.isReduced
      activity.say(isStill ? `${describe(pet, task)} ${reduced}` : describe(pet, task))
      pets.changed(pet)
    })
    await hero.of(pet.id).showCost(pet)
  }

  function show(pet: Pet): void {
    const { animation } = pet
    const { isBusy } = step.of(pet.id)
    playback.offer(poses.some((pose) => hasClip(pet, pose)))
    const isMade = animation?.status === 'success'
    // Uses aria-disabled, since `disabled` would lose the focus.
    button.ariaDisabled = String(isBusy)
    button.textContent = animation === undefined || isBusy ? 'Make it move' : 'Try again'
    if (isMade && document.activeElement === button) playback.focus()
    button.hidden = !isDrawn(pet) || isMade || (isBusy && document.activeElement !== button)
  }

  step.followPets(pets)
  pets.onChange((pet) => {
    if (pet !== pets.current) return
    show(pet)
    void begin(pet)
  })
  button.addEventListener('click', () => {
    if (button.ariaDisabled !== 'true') void animate(pets.current)
  })
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
