import { get, getChoice, make } from '../shared/dom.js'
import { makePicture } from '../shared/picture.js'
import { poses, type Species } from './answers.js'
import type { Avatars } from './avatar.js'
import { isEnded } from './follow.js'
import type { KeyForm } from './key-form.js'
import { type Pet, type Pets, userId } from './pets.js'

/** The choice of a pet: a sample, or a photo of one's own. */
export function startPhoto(pets: Pets, avatars: Avatars, key: KeyForm): void {
  const cards = new Map<string, HTMLButtonElement>()
  for (const card of document.querySelectorAll<HTMLButtonElement>('button.pet')) bind(card, card.dataset.pet ?? '')
  const own = startOwn((pet) => choose(pets.add(pet)))

  function choose(pet: Pet): void {
    if (!key.require()) return
    own.hide()
    pets.show(pet)
    cards.get(pet.id)?.focus()
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

function describe({ avatar, species }: Pet): string {
  if (avatar === undefined) return `a ${species}`
  const drawn = poses.filter((pose) => avatar.images[pose]?.status === 'success').length
  return isEnded(avatar) ? `${drawn} poses` : `drawing, ${drawn} of ${Object.keys(avatar.images).length}`
}

/** The form for a photo of one's own, which may also be dropped anywhere on the page. */
function startOwn(onPet: (pet: Pet) => void): { hide(): void } {
  const form = get(HTMLFormElement, '#own-form')
  const input = get(HTMLInputElement, '#file')
  const preview = get(HTMLImageElement, '#own-preview')
  const name = get(HTMLInputElement, '#own-name')
  let chosen: File | undefined

  const choose = (file: File | undefined) => {
    if (file === undefined) return
    chosen = file
    preview.src = URL.createObjectURL(file)
    // What is no picture is sent as it is: the server says best what is wrong with it.
    form.hidden = false
    name.focus()
  }
  input.addEventListener('change', () => choose(input.files?.[0]))
  listenForDrops(choose)
  const hide = () => {
    form.hidden = true
    input.value = ''
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (chosen === undefined) return
    const pet: Pet = {
      id: `pet-${Math.random().toString(36).slice(2, 10)}`,
      userId,
      name: name.value.trim() || 'Your pet',
      species: getChoice('species') as Species,
      photo: preview.src,
      file: chosen,
    }
    hide()
    onPet(pet)
  })
  return { hide }
}

/** A file may be dropped anywhere; else the browser would leave the page for it. */
function listenForDrops(onFile: (file: File | undefined) => void): void {
  const { classList } = get(HTMLElement, '#drop')
  addEventListener('dragover', (event) => {
    event.preventDefault()
    classList.add('over')
  })
  addEventListener('dragleave', () => classList.remove('over'))
  addEventListener('drop', (event) => {
    event.preventDefault()
    classList.remove('over')
    onFile(event.dataTransfer?.files[0])
  })
}
