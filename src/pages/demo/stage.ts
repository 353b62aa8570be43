import { get, make } from '../shared/dom.js'
import { makePicture, showInstead, showPicture } from '../shared/picture.js'
import { type Pose, poses } from './answers.js'
import { toOwnAddress } from './api.js'
import type { Pet, Pets } from './pets.js'
import type { Playback } from './playback.js'

export type Stage = ReturnType<typeof startStage>

/** Starts the large picture, which moves once there is a clip of it, and the four poses to choose from. */
export function startStage(pets: Pets, playback: Playback) {
  const canvas = get(HTMLElement, '#canvas')
  const thumbs = poses.map((pose) => {
    const picture = make('span', { class: 'picture' })
    const button = make('button', { type: 'button', class: 'thumb' }, picture, make('span', { class: 'name' }, pose))
    button.addEventListener('click', () => {
      chosen = pose
      show()
    })
    return { pose, button, picture }
  })
  let chosen: Pose | undefined
  /** The address of a photo that was chosen but not sent yet. */
  let preview: string | undefined

  function show(): void {
    const pet = pets.current
    get(HTMLElement, '#photo').classList.toggle('previewing', preview !== undefined)
    const front = chosen ?? findFront(pet)
    showFront(pet, front)
    for (const { pose, button, picture } of thumbs) {
      const drawn = preview === undefined ? findUrl(pet, pose) : undefined
      const status = pet.avatar?.images[pose]?.status
      button.disabled = drawn === undefined
      button.dataset.status = status ?? ''
      button.ariaPressed = String(pose === front && drawn !== undefined)
      if (drawn === undefined) showInstead(picture, status === 'failed' ? 'failed' : '')
      else showPicture(picture, drawn, '')
    }
  }

  /** The pose to show unless one was chosen: the liveliest that moves, else the first that is drawn. */
  function findFront(pet: Pet): Pose | undefined {
    const moving = playback.isPaused ? undefined : poses.findLast((pose) => hasClip(pet, pose))
    return moving ?? poses.find((pose) => findUrl(pet, pose) !== undefined)
  }

  function showFront(pet: Pet, front: Pose | undefined): void {
    const still = front && findUrl(pet, front)
    const clip = front && pet.animation?.images[front]
    const { isPaused, format } = playback
    const label = `${pet.name}, ${front}`
    if (preview !== undefined) showPrint(canvas, preview, 'Your photo')
    else if (clip?.mp4_url != null && format === 'mp4') showVideo(canvas, toOwnAddress(clip.mp4_url), label, isPaused)
    else if (clip?.webp_url != null && !isPaused) showPicture(canvas, toOwnAddress(clip.webp_url), `${label}, moving`)
    else if (still !== undefined) showPicture(canvas, still, label)
    else showPrint(canvas, pet.photo, `The photo of ${pet.name}`)
  }

  get(HTMLElement, '#thumbs').append(...thumbs.map(({ button }) => button))
  playback.onChange(show)
  pets.onChange((pet, isOther) => {
    if (isOther) chosen = preview = undefined
    if (pet === pets.current) show()
  })
  show()
  return {
    /** Shows a photo in place of the current pet, or the pet again. */
    preview(photo: string | undefined): void {
      preview = photo
      show()
    },
  }
}

/** Shows a photo as a print on the table. */
export function showPrint(place: HTMLElement, photo: string, alt: string): void {
  const shown = place.querySelector('img.print')
  // Drawn again, it would blink at each poll.
  if (shown?.getAttribute('src') === photo && shown.getAttribute('alt') === alt) return
  const instead = () => make('p', { class: 'empty' }, 'This file cannot be shown as a picture.')
  showInstead(place, makePicture({ class: 'print', src: photo, alt }, instead))
}

function showVideo(place: HTMLElement, url: string, label: string, isPaused: boolean): void {
  const shown = place.querySelector('video')
  const video = shown?.src === url ? shown : make('video', { src: url, 'aria-label': label, playsinline: '' })
  video.loop = true
  video.muted = true
  if (video !== shown) showInstead(place, video)
  if (isPaused) video.pause()
  // A browser may refuse to play before the user interacts with the page; it then shows the first frame.
  else void video.play().catch(() => {})
}

/** Returns the address of a pet's picture in a pose, once it is drawn. */
function findUrl({ avatar }: Pet, pose: Pose): string | undefined {
  const url = avatar?.images[pose]?.generated_url
  return url == null ? undefined : toOwnAddress(url)
}

/** True if there is a clip of the pose that moves without the reader. */
export function hasClip({ animation }: Pet, pose: Pose): boolean {
  return animation?.images[pose]?.webp_url != null
}
