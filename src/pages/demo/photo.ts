import { get, make } from '../shared/dom.js'
import { makePicture } from '../shared/picture.js'
import { poses } from './answers.js'
import type { Avatars } from './avatar.js'
import { isEnded } from './follow.js'
import type { KeyForm } from './key-form.js'
import { startOwnPhoto } from './own-photo.js'
import type { Pet, Pets } from './pets.js'
import type { Stage } from './stage.js'

/** Starts the choice of a pet: a sample, or the user's own photo, which is on the stage at once. */
export function startPhoto(pets: Pets, avatars: Avatars, stage: Stage, key: KeyForm): void {
  const cards = new Map<string, HTMLButtonElement>()
  for (const card of document.querySelectorAll<HTMLButtonElement>('button.pet')) bind(card, card.dataset.pet ?? '')
  const own = startOwnPhoto({
    onFile(photo) {
      avatars.hideProblem()
      stage.preview(photo)
    },
    async send(pet) {
      if (!key.require()) return
      pets.show(pet)
      await avatars.draw(pet, () => {
        pets.changed(pets.add(pet))
        own.close()
        cards.get(pet.id)?.focus({ preventScroll: true })
        showStage()
      })
      const isTaken = pets.find(pet.id) !== undefined
      if (!isTaken) get(HTMLElement, '#photo .controls > .problem').scrollIntoView({ block: 'nearest' })
    },
  })

  function choose(pet: Pet): void {
    if (!key.require()) return
    own.close()
    stage.preview(undefined)
    pets.show(pet)
    showStage()
    if (pet.avatar === undefined || pet.avatar.status === 'failed') void avatars.draw(pet)
  }

  function bind(card: HTMLButtonElement, id: string): HTMLButtonElement {
    cards.set(id, card)
    card.addEventListener('click', () => choose(pets.find(id) ?? pets.current))
    return card
  }

  function addCard({ id, name, photo }: Pet): HTMLButtonElement {
    const picture = makePicture({ src: photo, alt: '' }, () => make('span', { class: 'plus' }, '?'))
    const [title, state] = [make('span', { class: 'name' }, name), make('span', { class: 'state' })]
    const card = make('button', { type: 'button', class: 'pet' }, picture, title, state)
    get(HTMLElement, '#drop').before(card)
    return bind(card, id)
  }

  const show = () => {
    for (const pet of pets.all) {
      const card = cards.get(pet.id) ?? addCard(pet)
      card.ariaPressed = String(pet === pets.current && pets.isChosen)
      get(HTMLElement, '.state', card).textContent = describe(pet)
    }
  }
  pets.onChange(show)
  show()
}

/** On a narrow screen, the stage is below the pets. */
function showStage(): void {
  get(HTMLElement, '.stage').scrollIntoView({ block: 'nearest' })
}

function describe({ avatar, species }: Pet): string {
  if (avatar === undefined) return `a ${species}`
  const drawn = poses.filter((pose) => avatar.images[pose]?.status === 'success').length
  return isEnded(avatar) ? `${drawn} poses` : `drawing, ${drawn} of ${Object.keys(avatar.images).length}`
}
