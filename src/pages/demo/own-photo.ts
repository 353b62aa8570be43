import { get, getChoice } from '../shared/dom.js'
import type { Species } from './answers.js'
import { type Pet, unnamed, userId } from './pets.js'

/** Browsers differ in the formats that they show; the server accepts these three. */
const noPicture =
  'This browser cannot show the file as a picture. Choose a JPEG, PNG or WebP; save a HEIC photo as JPEG first.'

interface Listeners {
  /** Called for each chosen file. */
  onFile(): void
  /** Resolves when the photo was accepted or rejected. */
  send(pet: Pet): Promise<void>
}

/**
 * Starts the form for the user's own photo, which may also be dropped anywhere on the page. It stays open until `close`, so
 * that the user can correct a rejected photo.
 */
export function startOwnPhoto({ onFile, send }: Listeners): { close(): void } {
  const form = get(HTMLFormElement, '#own-form')
  const input = get(HTMLInputElement, '#file')
  const preview = get(HTMLImageElement, '#own-preview')
  const warning = get(HTMLElement, '#own-warning')
  const name = get(HTMLInputElement, '#own-name')
  let chosen: File | undefined
  let sent: Pet | undefined

  const warn = (isPicture: boolean) => {
    preview.hidden = !isPicture
    // An unknown format may still be sent: the server explains best what is wrong with it.
    warning.textContent = isPicture ? '' : noPicture
  }
  preview.addEventListener('error', () => warn(false))

  const choose = (file: File | undefined) => {
    if (file === undefined) return
    chosen = file
    onFile()
    warn(true)
    preview.src = URL.createObjectURL(file)
    form.hidden = false
    name.focus()
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
      id: `pet-${Math.random().toString(36).slice(2, 10)}`,
      userId,
      name: name.value.trim() || unnamed,
      species: getChoice('species') as Species,
      photo: preview.src,
      file: chosen,
    }
    sent = pet
    await send(pet)
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
