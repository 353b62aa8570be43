import { get, make } from '../shared/dom.js'
import { makePicture, showInstead, showPicture } from '../shared/picture.js'
import { type Pose, poses } from './answers.js'
import { toOwnAddress } from './api.js'
import type { Pet, Pets } from './pets.js'

/** Starts the large picture and the four poses to choose from. */
export function startStage(pets: Pets): void {
  const canvas = get(HTMLElement, '#canvas')
  let chosen: Pose | undefined
  const thumbs = poses.map((pose) => {
    const picture = make('span', { class: 'picture' })
    const button = make('button', { type: 'button', class: 'thumb' }, picture, make('span', { class: 'name' }, pose))
    button.addEventListener('click', () => {
      chosen = pose
      show(pets.current)
    })
    return { pose, button, picture }
  })
  get(HTMLElement, '#thumbs').append(...thumbs.map(({ button }) => button))

  const show = (pet: Pet) => {
    const front = chosen ?? poses.find((pose) => findUrl(pet, pose) !== undefined)
    const url = front && findUrl(pet, front)
    if (url === undefined) showInstead(canvas, makePrint(pet))
    else showPicture(canvas, url, `${pet.name}, ${front}`)
    for (const { pose, button, picture } of thumbs) {
      const drawn = findUrl(pet, pose)
      const status = pet.avatar?.images[pose]?.status
      button.disabled = drawn === undefined
      button.dataset.status = status ?? ''
      button.ariaPressed = String(pose === front && drawn !== undefined)
      if (drawn === undefined) showInstead(picture, status === 'failed' ? 'failed' : '')
      else showPicture(picture, drawn, '')
    }
  }
  pets.onChange((pet, isOther) => {
    if (isOther) chosen = undefined
    if (pet === pets.current) show(pet)
  })
  show(pets.current)
}

function makePrint({ name, photo }: Pet): HTMLElement {
  const instead = () => make('p', { class: 'empty' }, 'This file cannot be shown as a picture.')
  return makePicture({ class: 'print', src: photo, alt: `The photo of ${name}` }, instead)
}

/** Returns the address of a pet's picture in a pose, once it is drawn. */
export function findUrl({ avatar }: Pet, pose: Pose): string | undefined {
  const url = avatar?.images[pose]?.generated_url
  return url == null ? undefined : toOwnAddress(url)
}
