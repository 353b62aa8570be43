import { get, getChoice, make } from '../shared/dom.js'
import { showInstead, showPicture } from '../shared/picture.js'
import { type AnimationTask, type Created, type Pose, poses } from './answers.js'
import { toOwnAddress } from './api.js'
import { follow, isEnded, wait } from './follow.js'
import type { Pet, Pets } from './pets.js'
import { findUrl } from './stage.js'
import { Step } from './step.js'

/** The poses as loops. */
export function startMotion(pets: Pets): void {
  const step = new Step('#motion')
  const button = get(HTMLButtonElement, '#animate')
  const pause = get(HTMLButtonElement, '#pause')
  const format = get(HTMLFieldSetElement, '#format')
  let isPaused = matchMedia('(prefers-reduced-motion: reduce)').matches
  const tiles = poses.map((pose) => ({ pose, tile: make('figure', { class: 'clip' }) }))
  get(HTMLElement, '#clips').append(...tiles.map(({ tile }) => tile))

  const show = (pet: Pet) => {
    const hasClips = poses.some((pose) => pet.animation?.images[pose]?.webp_url != null)
    format.hidden = !hasClips
    pause.hidden = !hasClips
    pause.textContent = isPaused ? 'Play' : 'Pause'
    const isMade = pet.animation !== undefined && !(isEnded(pet.animation) && pet.animation.status !== 'success')
    button.hidden = isMade
    button.textContent = pet.animation === undefined ? 'Make it move' : 'Try again'
    button.disabled = pet.avatar === undefined || !isEnded(pet.avatar)
    for (const { pose, tile } of tiles) showClip(tile, pet, pose, isPaused)
  }
  pets.onChange((pet, isOther) => {
    if (isOther) step.clear()
    if (pet === pets.current) show(pet)
  })
  pause.addEventListener('click', () => {
    isPaused = !isPaused
    show(pets.current)
  })
  format.addEventListener('change', () => show(pets.current))
  button.addEventListener('click', async () => {
    button.disabled = true
    await animate(step, pets, pets.current)
    show(pets.current)
  })
  show(pets.current)
}

function animate(step: Step, pets: Pets, pet: Pet): Promise<void> {
  return step.run(pet.id, async () => {
    step.say(`${pet.name} begins to move…`)
    const { task_id, poll_after_seconds } = await step.call<Created>({
      method: 'POST',
      path: 'v1/pet-animation/generate',
      json: { avatar_task_id: pet.avatar?.task_id },
    })
    await wait(poll_after_seconds ?? 0)
    await follow<AnimationTask>(
      () => step.call({ method: 'GET', path: `v1/pet-animation/tasks/${task_id}` }),
      (task) => {
        step.hideProblem()
        pet.animation = task
        if (pet === pets.current) step.say(describe(pet, task))
        pets.changed(pet)
      },
      (error) => step.showProblem(error),
    )
    if (pet === pets.current) await step.showCost(pet)
  })
}

function describe({ name }: Pet, { images, status }: AnimationTask): string {
  const all = Object.values(images)
  const done = all.filter((image) => image.status === 'success').length
  const faults = all.flatMap((image) => (image.error_message === null ? [] : [` ${image.error_message}`]))
  return status === 'success' ? `${name} moves.` : `${done} of ${all.length} clips are ready.${faults.join('')}`
}

/** The clip as it is to be played, or else the still picture. */
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
  // A browser may refuse to play before the page was touched; the first frame then stands.
  else void video.play().catch(() => {})
}
