import { get, getChoice, make } from '../shared/dom.js'
import { makePicture } from '../shared/picture.js'
import { poses, type Species } from './answers.js'
import type { Avatars } from './avatar.js'
import { isEnded } from './follow.js'
import { findGuestPet } from './key.js'
import type { KeyForm } from './key-form.js'
import { type Pet, type Pets, unnamed, userId } from './pets.js'
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
        // The pet of a guest may have an earlier photo.
        cards.get(pet.id)?.remove()
        cards.delete(pet.id)
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

/** Browsers differ in the formats that they show; the server accepts these three. */
const noPicture =
  'This browser cannot show the file as a picture. Choose a JPEG, PNG or WebP; save a HEIC photo as JPEG first.'

/** Other pictures that a browser shows, such as HEIC photos of iPhones in Safari, are sent as JPEG of this longer side. */
const isRedrawn = ({ type }: File) => /^image\/(?!jpeg$|png$|webp$|svg)/.test(type)
const redrawnSide = 2048

/** The limits of a server with default settings: only a warning, since this server may have others. */
const limits = { side: 256, bytes: 10 << 20, ratio: 4, pixels: 40e6 }

interface Listeners {
  /** Called for each chosen file, with its address in this page. */
  onFile(photo: string): void
  /** Resolves when the photo was accepted or rejected. */
  send(pet: Pet): Promise<void>
}

/**
 * Starts the form for the user's own photo, which may also be dropped anywhere on the page. It stays open until `close`, so
 * that the user can correct a rejected photo.
 */
function startOwnPhoto({ onFile, send }: Listeners): { close(): void } {
  const form = get(HTMLFormElement, '#own-form')
  const input = get(HTMLInputElement, '#file')
  const preview = get(HTMLImageElement, '#own-preview')
  const warning = get(HTMLElement, '#own-warning')
  const name = get(HTMLInputElement, '#own-name')
  const submit = get(HTMLButtonElement, '[type=submit]', form)
  let chosen: File | undefined
  let sent: Pet | undefined

  /** The photo may still be sent: the server explains best what is wrong with it. */
  const warn = (defect: string | undefined) => {
    warning.textContent = defect ?? ''
    submit.textContent = defect === undefined ? 'Draw four poses' : 'Send it anyway'
  }
  preview.addEventListener('error', () => {
    preview.hidden = true
    warn(noPicture)
  })
  preview.addEventListener('load', () => warn(chosen && findDefect(chosen, preview)))

  const choose = (file: File | undefined) => {
    if (file === undefined) return
    chosen = file
    warn(undefined)
    preview.hidden = false
    preview.src = URL.createObjectURL(file)
    onFile(preview.src)
    form.hidden = false
    name.focus()
    form.scrollIntoView({ block: 'nearest' })
  }
  // The same file may be chosen again, perhaps with new content.
  input.addEventListener('click', () => {
    input.value = ''
  })
  input.addEventListener('change', () => choose(input.files?.[0]))
  listenForDrops(choose)

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (chosen === undefined || sent !== undefined) return
    const pet: Pet = {
      id: findGuestPet() ?? `pet-${Math.random().toString(36).slice(2, 10)}`,
      userId,
      name: name.value.trim() || unnamed,
      species: getChoice('species') as Species,
      photo: preview.src,
    }
    sent = pet
    await send({ ...pet, file: await toSent(chosen, preview) })
    if (sent === pet) sent = undefined
  })
  return {
    close() {
      form.hidden = true
      form.reset()
      sent = undefined
    },
  }
}

/** Returns the file, or the JPEG that is sent in its place. */
async function toSent(file: File, shown: HTMLImageElement): Promise<File> {
  if (!isRedrawn(file) || shown.hidden) return file
  const { naturalWidth: width, naturalHeight: height } = shown
  const scale = Math.min(1, redrawnSide / Math.max(width, height))
  const canvas = make('canvas', {
    width: String(Math.round(width * scale)),
    height: String(Math.round(height * scale)),
  })
  const context = canvas.getContext('2d')
  if (context === null) return file
  // A JPEG has no transparency.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(shown, 0, 0, canvas.width, canvas.height)
  const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92))
  return jpeg === null ? file : new File([jpeg], file.name.replace(/(\.\w+)?$/, '.jpg'), { type: jpeg.type })
}

/** Says why a server with default settings would reject the photo. */
function findDefect(file: File, { naturalWidth: width, naturalHeight: height }: HTMLImageElement): string | undefined {
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  const measured = `This photo has ${width} × ${height} pixels`
  if (short < limits.side) return `${measured}; its shorter side needs at least ${limits.side}.`
  if (long > short * limits.ratio)
    return `${measured}; its longer side may have at most ${limits.ratio} times the shorter one.`
  if (isRedrawn(file)) return undefined
  if (width * height > limits.pixels) return `${measured}; at most 40 million are accepted.`
  if (file.size > limits.bytes)
    return `This photo has ${(file.size / 2 ** 20).toFixed(1)} MiB; at most ${limits.bytes >> 20} are accepted.`
  return undefined
}

/** Accepts files dropped anywhere; otherwise the browser would navigate to them. */
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
