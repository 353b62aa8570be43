import { get, make } from '../shared/dom.js'
import { showInstead, showPicture } from '../shared/picture.js'
import type { Activity } from './activity.js'
import type { Created, DiaryTask, Selection } from './answers.js'
import { CallError, ignoreCallError, send, toOwnAddress } from './api.js'
import { DayChoice } from './day-choice.js'
import { wait } from './follow.js'
import { getKey } from './key.js'
import type { KeyForm } from './key-form.js'
import type { Pet, Pets } from './pets.js'
import { Step } from './step.js'

/** The picture of a day: the facts of the day select the scene, and the pet is drawn into it. */
export class Diary {
  readonly #step = new Step('#diary', () => this.#showButton())
  readonly #pets: Pets
  readonly #canvas = get(HTMLElement, '#diary-canvas')
  readonly #reason = get(HTMLElement, '#diary-reason')
  readonly #day = new DayChoice()
  readonly #button = get(HTMLButtonElement, '#diary-form [type=submit]')
  #loading: Promise<void> | undefined
  /** IDs of the pets with a selection in progress, without a drawing. */
  readonly #selecting = new Set<string>()

  constructor(pets: Pets, key: KeyForm) {
    this.#pets = pets
    const form = get(HTMLFormElement, '#diary-form')
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (key.require()) void this.#draw(pets.current)
    })
    form.addEventListener('change', () => {
      if (getKey() !== '' && this.#day.sceneId === '' && form.reportValidity()) void this.#select(pets.current)
    })
    this.#step.followPets(pets)
    pets.onChange((pet, isOther) => {
      if (isOther) this.#day.offer(pet)
      if (pet === pets.current) this.#show(pet)
    })
    this.#show(pets.current)
  }

  /** Loads the list of scenes, which needs a key. */
  load(): Promise<void> {
    this.#loading = this.#day.load().then(() => this.#day.offer(this.#pets.current))
    return this.#loading
  }

  /** Continues with the newest picture of a pet; draws nothing. */
  async restore(pet: Pet): Promise<void> {
    const query = new URLSearchParams({ user_id: pet.userId, page_size: '100' })
    const path = `v1/pet-diary-images?${query}`
    // Without an answer, the day can be drawn again.
    const list = await send<{ items: DiaryTask[] }>({ method: 'GET', path }).catch(ignoreCallError)
    const newest = list?.items.find(({ pet_id, status }) => pet_id === pet.id && status !== 'failed')
    await this.#loading
    if (newest === undefined || pet.diary !== undefined) return
    await this.#step.of(pet.id).run(async () => {
      await this.#follow(pet, newest.task_id, undefined)
      await this.#step.of(pet.id).showCost(pet)
    })
  }

  /** Shows the scene that fits the day best. The pet is drawn into it only on request, since that may cost money. */
  #select(pet: Pet): Promise<void> {
    const activity = this.#step.of(pet.id)
    const day = this.#day.read(pet)
    return activity.runNext(async () => {
      this.#selecting.add(pet.id)
      this.#showButton()
      await this.#loading
      const selection = await selectWhenDrawn(activity, day, () => !activity.isOvertaken).finally(() =>
        this.#selecting.delete(pet.id),
      )
      if (selection === undefined) return
      pet.diary = { selection, drawn: pet.diary?.drawn }
      const title = this.#day.title(selection.scene_id)
      activity.say(hasDrawn(pet) ? `${title}, with ${pet.name}.` : `${title}. ${nextStep(pet)}`)
      this.#pets.changed(pet)
    })
  }

  async #draw(pet: Pet): Promise<void> {
    if (this.#isDrawing(pet)) return
    const [sceneId, day] = [this.#day.sceneId, this.#day.read(pet)]
    await this.#step.of(pet.id).runNext(() => this.#drawScene(pet, sceneId, day))
  }

  async #drawScene(pet: Pet, sceneId: string, day: object): Promise<void> {
    const activity = this.#step.of(pet.id)
    const selection = sceneId === '' ? await selectWhenDrawn(activity, day) : undefined
    pet.diary = { selection, drawn: undefined }
    this.#pets.changed(pet)
    const reference = toReference(pet)
    if (reference === undefined) {
      activity.say(`${this.#day.title(selection?.scene_id)}. ${nextStep(pet)}`)
      return
    }
    const scene = selection?.scene_id ?? sceneId
    activity.say(`Drawing ${pet.name}: ${this.#day.title(scene)}…`)
    const { task_id, poll_after_seconds } = await activity.call<Created>({
      method: 'POST',
      path: 'v1/pet-diary-images/generate',
      json: { ...reference, scene_ids: [scene] },
    })
    await wait(poll_after_seconds ?? 0)
    await this.#follow(pet, task_id, selection)
    await activity.showCost(pet)
  }

  async #follow(pet: Pet, taskId: string, selection: Selection | undefined): Promise<void> {
    const activity = this.#step.of(pet.id)
    const query = new URLSearchParams({ user_id: pet.userId, pet_id: pet.id })
    const drawn = await activity.follow<DiaryTask>(`v1/pet-diary-images/tasks/${taskId}?${query}`)
    pet.diary = { selection, drawn }
    activity.say(
      drawn.status === 'success'
        ? `${this.#day.title(drawn.scene_id)}, with ${pet.name}.`
        : (drawn.error_message ?? 'The picture could not be drawn.'),
    )
    this.#pets.changed(pet)
  }

  #isDrawing({ id }: Pet): boolean {
    return this.#step.of(id).isBusy && !this.#selecting.has(id)
  }

  /** Uses aria-disabled, since `disabled` would lose the focus. */
  #showButton(): void {
    this.#button.ariaDisabled = String(this.#isDrawing(this.#pets.current))
  }

  #show(pet: Pet): void {
    const { diary, name } = pet
    this.#reason.replaceChildren()
    const selection = diary?.selection
    const url = hasDrawn(pet) ? diary?.drawn?.image_url : undefined
    if (url != null) showPicture(this.#canvas, toOwnAddress(url), `${name}: ${this.#day.title(diary?.drawn?.scene_id)}`)
    else if (selection !== undefined) showPicture(this.#canvas, toOwnAddress(selection.image_url), 'From the library')
    else showInstead(this.#canvas, make('p', { class: 'empty' }, 'The day’s picture appears here.'))
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
        ` was chosen: it scores ${score}${words}.`,
      ),
    )
  }
}

/** True if the pet is drawn into the scene that was selected last. */
function hasDrawn({ diary }: Pet): boolean {
  const { selection, drawn } = diary ?? {}
  return drawn?.image_url != null && (selection === undefined || selection.scene_id === drawn.scene_id)
}

function nextStep(pet: Pet): string {
  return toReference(pet) === undefined
    ? 'Choose a pet above to have it drawn into this scene.'
    : `Draw the day to see ${pet.name} in it.`
}

/**
 * Selects a scene, and retries while the library draws it for the first time.
 * Returns undefined once `isWanted` returns false.
 */
async function selectWhenDrawn(
  activity: Activity,
  json: object,
  isWanted = () => true,
): Promise<Selection | undefined> {
  while (isWanted()) {
    try {
      return await activity.call({ method: 'POST', path: 'v1/pet-diary-image-libraries/select', json })
    } catch (error) {
      if (!(error instanceof CallError && error.status === 503)) throw error
      activity.say(error.message)
      await wait(error.retryAfterSeconds ?? 5)
    }
  }
  return undefined
}

/** Returns the reference for drawing the pet: its identity asset, or one picture of a partial success. */
function toReference({ avatar, species }: Pet): object | undefined {
  if (avatar === undefined) return undefined
  if (avatar.identity_asset_id !== null) return { identity_asset_id: avatar.identity_asset_id }
  const key = Object.values(avatar.images).find((image) => image.generated_cos_key !== undefined)?.generated_cos_key
  return key === undefined ? undefined : { cos_key: key, species, user_id: avatar.user_id, pet_id: avatar.pet_id }
}
