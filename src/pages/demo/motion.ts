import { get, getChoice, make } from '../shared/dom.js'
import { showInstead, showPicture } from '../shared/picture.js'
import { type AnimationTask, type Created, type IdentityAsset, type Pose, poses } from './answers.js'
import { ignoreCallError, send, toOwnAddress } from './api.js'
import { isEnded, wait } from './follow.js'
import { keepAnimation, listTasks } from './key.js'
import type { Pet, Pets } from './pets.js'
import { findUrl } from './stage.js'
import { Step } from './step.js'

/** The step that animates the poses as loops. */
export class Motion {
  readonly #pets: Pets
  readonly #button = get(HTMLButtonElement, '#animate')
  readonly #pause = get(HTMLButtonElement, '#pause')
  readonly #format = get(HTMLFieldSetElement, '#format')
  readonly #tiles = poses.map((pose) => ({ pose, tile: make('figure', { class: 'clip' }) }))
  readonly #step = new Step('#motion', () => this.#show(this.#pets.current))
  #isPaused = matchMedia('(prefers-reduced-motion: reduce)').matches

  constructor(pets: Pets) {
    this.#pets = pets
    get(HTMLElement, '#clips').append(...this.#tiles.map(({ tile }) => tile))
    this.#step.followPets(pets)
    pets.onChange((pet) => pet === pets.current && this.#show(pet))
    this.#pause.addEventListener('click', () => {
      this.#isPaused = !this.#isPaused
      this.#show(pets.current)
    })
    this.#format.addEventListener('change', () => this.#show(pets.current))
    this.#button.addEventListener('click', () => {
      if (this.#button.ariaDisabled !== 'true') void this.#animate(pets.current)
    })
  }

  /** Continues with the existing clips of a pet; creates none. */
  async restore(pet: Pet): Promise<void> {
    // Without an answer, the button looks again.
    const taskId = pet.animation?.task_id ?? (await findAnimation(pet).catch(ignoreCallError))
    if (taskId === undefined || (pet.animation !== undefined && isEnded(pet.animation))) return
    await this.#step.of(pet.id).run(() => this.#follow(pet, taskId))
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
    if (pet.avatar !== undefined) keepAnimation(pet.avatar.task_id, task_id)
    await wait(poll_after_seconds ?? 0)
    return task_id
  }

  async #follow(pet: Pet, taskId: string): Promise<void> {
    const activity = this.#step.of(pet.id)
    await activity.follow<AnimationTask>(`v1/pet-animation/tasks/${taskId}`, (task) => {
      pet.animation = task
      activity.say(describe(pet, task))
      this.#pets.changed(pet)
    })
    await activity.showCost(pet)
  }

  #show(pet: Pet): void {
    const { animation, avatar, id } = pet
    const hasClips = poses.some((pose) => animation?.images[pose]?.webp_url != null)
    this.#format.hidden = !hasClips
    this.#pause.hidden = !hasClips
    this.#pause.textContent = this.#isPaused ? 'Play' : 'Pause'
    // Uses aria-disabled, since `disabled` would lose the focus.
    const isReady = avatar !== undefined && isEnded(avatar) && !this.#step.of(id).isBusy
    this.#button.ariaDisabled = String(!isReady)
    this.#button.textContent = animation !== undefined && isReady ? 'Try again' : 'Make it move'
    const isMade = animation?.status === 'success'
    if (isMade && document.activeElement === this.#button) this.#pause.focus()
    this.#button.hidden = isMade
    for (const { pose, tile } of this.#tiles) showClip(tile, pet, pose, this.#isPaused)
  }
}

/** Finds the newest animation of a pet; for a partial success, the newest of this tab. Throws `CallError`. */
async function findAnimation({ avatar }: Pet): Promise<string | undefined> {
  if (avatar?.identity_asset_id == null) return listTasks().find(({ id }) => id === avatar?.task_id)?.animation
  const path = `v1/pet-avatars/${avatar.identity_asset_id}`
  return (await send<IdentityAsset>({ method: 'GET', path })).animation_task_id ?? undefined
}

function describe({ name }: Pet, { images, status }: AnimationTask): string {
  const all = Object.values(images)
  const done = all.filter((image) => image.status === 'success').length
  const failures = all.flatMap((image) => (image.error_message === null ? [] : [` ${image.error_message}`]))
  return status === 'success' ? `${name} moves.` : `${done} of ${all.length} clips are ready.${failures.join('')}`
}

/** Shows the clip in the chosen format, or the still picture. */
function showClip(tile: HTMLElement, pet: Pet, pose: Pose, isPaused: boolean): void {
  const still = findUrl(pet, pose)
  const clip = pet.animation?.images[pose]
  const label = `${pet.name}, ${pose}`
  tile.dataset.status = clip?.status ?? ''
  if (clip?.mp4_url != null && getChoice('format') === 'mp4')
    showVideo(tile, toOwnAddress(clip.mp4_url), label, isPaused)
  else if (clip?.webp_url != null && !isPaused) showPicture(tile, toOwnAddress(clip.webp_url), `${label}, moving`)
  else if (still !== undefined) showPicture(tile, still, label)
  else showInstead(tile, make('span', {}, pose))
}

function showVideo(tile: HTMLElement, url: string, label: string, isPaused: boolean): void {
  const shown = tile.querySelector('video')
  const video = shown?.src === url ? shown : make('video', { src: url, 'aria-label': label, playsinline: '' })
  video.loop = true
  video.muted = true
  if (video !== shown) showInstead(tile, video)
  if (isPaused) video.pause()
  // A browser may refuse to play before the user interacts with the page; it then shows the first frame.
  else void video.play().catch(() => {})
}
