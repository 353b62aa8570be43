import { get, make } from '../shared/dom.js'
import { makePicture, showInstead, showPicture } from '../shared/picture.js'
import { type Pose, poses } from './answers.js'
import { toOwnAddress } from './api.js'
import type { Pet, Pets } from './pets.js'
import type { Playback } from './playback.js'

/** The large picture, which moves once there is a clip of it, and the four poses to choose from. */
export class Stage {
  readonly #canvas = get(HTMLElement, '#canvas')
  readonly #pets: Pets
  readonly #playback: Playback
  readonly #thumbs = poses.map((pose) => {
    const picture = make('span', { class: 'picture' })
    const button = make('button', { type: 'button', class: 'thumb' }, picture, make('span', { class: 'name' }, pose))
    return { pose, button, picture }
  })
  #chosen: Pose | undefined
  /** The address of a photo that was chosen but not sent yet. */
  #preview: string | undefined

  constructor(pets: Pets, playback: Playback) {
    this.#pets = pets
    this.#playback = playback
    for (const { pose, button } of this.#thumbs) {
      button.addEventListener('click', () => {
        this.#chosen = pose
        this.#show()
      })
    }
    get(HTMLElement, '#thumbs').append(...this.#thumbs.map(({ button }) => button))
    playback.onChange(() => this.#show())
    pets.onChange((pet, isOther) => {
      if (isOther) this.#chosen = undefined
      if (isOther) this.#preview = undefined
      if (pet === pets.current) this.#show()
    })
    this.#show()
  }

  /** Shows a photo in place of the current pet, or the pet again. */
  preview(photo: string | undefined): void {
    this.#preview = photo
    this.#show()
  }

  #show(): void {
    const pet = this.#pets.current
    get(HTMLElement, '#photo').classList.toggle('previewing', this.#preview !== undefined)
    const front = this.#chosen ?? this.#findFront(pet)
    this.#showFront(pet, front)
    for (const { pose, button, picture } of this.#thumbs) {
      const drawn = this.#preview === undefined ? findUrl(pet, pose) : undefined
      const status = pet.avatar?.images[pose]?.status
      button.disabled = drawn === undefined
      button.dataset.status = status ?? ''
      button.ariaPressed = String(pose === front && drawn !== undefined)
      if (drawn === undefined) showInstead(picture, status === 'failed' ? 'failed' : '')
      else showPicture(picture, drawn, '')
    }
  }

  /** The pose to show unless one was chosen: the liveliest that moves, else the first that is drawn. */
  #findFront(pet: Pet): Pose | undefined {
    const moving = this.#playback.isPaused ? undefined : poses.findLast((pose) => hasClip(pet, pose))
    return moving ?? poses.find((pose) => findUrl(pet, pose) !== undefined)
  }

  #showFront(pet: Pet, front: Pose | undefined): void {
    const still = front && findUrl(pet, front)
    const clip = front && pet.animation?.images[front]
    const { isPaused, format } = this.#playback
    const label = `${pet.name}, ${front}`
    if (this.#preview !== undefined) showPrint(this.#canvas, this.#preview, 'Your photo')
    else if (clip?.mp4_url != null && format === 'mp4')
      showVideo(this.#canvas, toOwnAddress(clip.mp4_url), label, isPaused)
    else if (clip?.webp_url != null && !isPaused)
      showPicture(this.#canvas, toOwnAddress(clip.webp_url), `${label}, moving`)
    else if (still !== undefined) showPicture(this.#canvas, still, label)
    else showPrint(this.#canvas, pet.photo, `The photo of ${pet.name}`)
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
