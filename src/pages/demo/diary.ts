import { get, make } from '../shared/dom.js'
import { showInstead, showPicture } from '../shared/picture.js'
import type { Created, DiaryTask, Selection } from './answers.js'
import { CallError, ignoreCallError, send, toOwnAddress } from './api.js'
import { DayChoice } from './day-choice.js'
import { follow, wait } from './follow.js'
import type { KeyForm } from './key-form.js'
import type { Pet, Pets } from './pets.js'
import { Step } from './step.js'
import type { Work } from './work.js'

/** A day's picture: the facts of the day choose the scene, and the pet is drawn into it. */
export class Diary {
  readonly #step = new Step('#diary', () => this.#showButton())
  readonly #pets: Pets
  readonly #canvas = get(HTMLElement, '#diary-canvas')
  readonly #reason = get(HTMLElement, '#diary-reason')
  readonly #day = new DayChoice()
  readonly #button = get(HTMLButtonElement, '#diary-form [type=submit]')
  #loading: Promise<void> | undefined

  constructor(pets: Pets, key: KeyForm) {
    this.#pets = pets
    get(HTMLFormElement, '#diary-form').addEventListener('submit', (event) => {
      event.preventDefault()
      if (key.require()) void this.#draw(pets.current)
    })
    this.#step.followPets(pets)
    pets.onChange((pet, isOther) => {
      if (isOther) this.#day.offer(pet)
      if (pet === pets.current) this.#show(pet)
    })
    this.#show(pets.current)
  }

  /** Reads which scenes there are, for which a key is needed. */
  load(): Promise<void> {
    this.#loading = this.#day.load().then(() => this.#day.offer(this.#pets.current))
    return this.#loading
  }

  /** Goes on with the newest picture that there is of a pet; has none drawn. */
  async restore(pet: Pet): Promise<void> {
    const query = new URLSearchParams({ user_id: pet.userId, page_size: '100' })
    const path = `v1/pet-diary-images?${query}`
    // Without an answer the day can be drawn anew.
    const list = await send<{ items: DiaryTask[] }>({ method: 'GET', path }).catch(ignoreCallError)
    const newest = list?.items.find(({ pet_id, status }) => pet_id === pet.id && status !== 'failed')
    await this.#loading
    if (newest === undefined || pet.diary !== undefined) return
    await this.#step.of(pet.id).run(async () => {
      await this.#follow(pet, newest.task_id, undefined)
      await this.#step.of(pet.id).showCost(pet)
    })
  }

  #draw(pet: Pet): Promise<void> {
    const work = this.#step.of(pet.id)
    const [sceneId, day] = [this.#day.sceneId, this.#day.read(pet)]
    return work.run(async () => {
      const selection = sceneId === '' ? await selectAtLast(work, day) : undefined
      pet.diary = { selection, drawn: undefined }
      this.#pets.changed(pet)
      const reference = toReference(pet)
      if (reference === undefined) {
        work.say(`${this.#day.title(selection?.scene_id)}. Choose a pet above to have it drawn into this scene.`)
        return
      }
      const scene = selection?.scene_id ?? sceneId
      work.say(`Drawing ${pet.name}: ${this.#day.title(scene)}…`)
      const { task_id, poll_after_seconds } = await work.call<Created>({
        method: 'POST',
        path: 'v1/pet-diary-images/generate',
        json: { ...reference, scene_ids: [scene] },
      })
      await wait(poll_after_seconds ?? 0)
      await this.#follow(pet, task_id, selection)
      await work.showCost(pet)
    })
  }

  async #follow(pet: Pet, taskId: string, selection: Selection | undefined): Promise<void> {
    const work = this.#step.of(pet.id)
    const query = new URLSearchParams({ user_id: pet.userId, pet_id: pet.id })
    const drawn = await follow<DiaryTask>(
      () => work.call({ method: 'GET', path: `v1/pet-diary-images/tasks/${taskId}?${query}` }),
      () => work.hideProblem(),
      (error) => work.showProblem(error),
    )
    pet.diary = { selection, drawn }
    work.say(
      drawn.status === 'success'
        ? `${this.#day.title(drawn.scene_id)}, with ${pet.name}.`
        : (drawn.error_message ?? 'The picture could not be drawn.'),
    )
    this.#pets.changed(pet)
  }

  /** Without `disabled`, which would take the focus away. */
  #showButton(): void {
    this.#button.ariaDisabled = String(this.#step.of(this.#pets.current.id).isBusy)
  }

  #show({ diary, name }: Pet): void {
    this.#reason.replaceChildren()
    const selection = diary?.selection
    const url = diary?.drawn?.image_url
    if (url != null) showPicture(this.#canvas, toOwnAddress(url), `${name}: ${this.#day.title(diary?.drawn?.scene_id)}`)
    else if (selection !== undefined) showPicture(this.#canvas, toOwnAddress(selection.image_url), 'From the library')
    else showInstead(this.#canvas, make('p', { class: 'empty' }, 'The day’s picture comes here.'))
    if (selection === undefined) return
    const { score, matched } = selection.match_reason
    const words = matched.length === 0 ? '' : ` (${matched.join(', ')})`
    if (url != null)
      this.#reason.append(make('img', { src: toOwnAddress(selection.image_url), alt: 'From the library' }))
    this.#reason.append(
      make(
        'span',
        {},
        make('strong', {}, this.#day.title(selection.scene_id)),
        ` was chosen: it fits by ${score}${words}.`,
      ),
    )
  }
}

/** The library draws a scene at its first need, and says meanwhile when to ask again. */
async function selectAtLast(work: Work, json: object): Promise<Selection> {
  for (;;) {
    try {
      return await work.call({ method: 'POST', path: 'v1/pet-diary-image-libraries/select', json })
    } catch (error) {
      if (!(error instanceof CallError && error.status === 503)) throw error
      work.say(error.message)
      await wait(error.retryAfterSeconds ?? 5)
    }
  }
}

/** The reference that the pet is drawn from: what its avatar task left, all of it or in part. */
function toReference({ avatar, species }: Pet): object | undefined {
  if (avatar === undefined) return undefined
  if (avatar.identity_asset_id !== null) return { identity_asset_id: avatar.identity_asset_id }
  const key = Object.values(avatar.images).find((image) => image.generated_cos_key !== undefined)?.generated_cos_key
  return key === undefined ? undefined : { cos_key: key, species, user_id: avatar.user_id, pet_id: avatar.pet_id }
}
