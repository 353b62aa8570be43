import { get, make } from '../shared/dom.js'
import { showPicture } from '../shared/picture.js'
import type { Activity } from './activity.js'
import type { Created, DiaryTask, Selection } from './answers.js'
import { CallError, ignoreCallError, send, toOwnAddress } from './api.js'
import { DayChoice } from './day-choice.js'
import { isEnded, wait } from './follow.js'
import { findGuestPet, getKey, type KeptDay, type KeptTask, keepFacts, listTasks } from './key.js'
import type { KeyForm } from './key-form.js'
import { type ExplainedSelection, isFree, isNewlyDrawn, type Pet, type Pets } from './pets.js'
import { describeReason } from './reason.js'
import { showPrint } from './stage.js'
import { Step } from './step.js'

/** The choices of the form: the scene, or an empty text and the day, and the weather to draw. */
interface Wish {
  readonly sceneId: string
  readonly day: ReturnType<DayChoice['read']>
  readonly weather: string | undefined
}

/** A picture to draw. */
interface Drawing extends Pick<Wish, 'weather'> {
  readonly pet: Pet
  readonly selection?: ExplainedSelection | undefined
  /** Returns false once another choice has taken its place. */
  readonly isWanted?: () => boolean
}

/**
 * The picture of a day: the facts of the day select the scene, and the pet is drawn into it: at each choice where that is free,
 * otherwise on request.
 */
export class Diary {
  readonly #step = new Step('#diary', () => this.#showButton())
  readonly #pets: Pets
  readonly #canvas = get(HTMLElement, '#diary-canvas')
  readonly #reason = get(HTMLElement, '#diary-reason')
  readonly #day = new DayChoice()
  readonly #button = get(HTMLButtonElement, '#diary-form [type=submit]')
  #loading: Promise<void> | undefined
  /** The avatar tasks whose diary was looked for. */
  readonly #begun = new Set<string>()
  /** The pictures that this page has drawn, by pet, scene and weather. */
  readonly #pictures = new Map<string, DiaryTask>()
  /** IDs of the pets that are being drawn on request. */
  readonly #drawing = new Set<string>()

  constructor(pets: Pets, key: KeyForm) {
    this.#pets = pets
    const form = get(HTMLFormElement, '#diary-form')
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (key.require()) void this.#drawOnRequest(pets.current)
    })
    form.addEventListener('change', () => {
      if (getKey() !== '' && form.reportValidity()) void this.#redraw(pets.current)
    })
    this.#step.followPets(pets)
    pets.onChange((pet, isOther) => {
      if (isOther) {
        this.#day.offer(pet)
        const { day } = findKept(pet)
        if (day !== undefined) this.#day.restore(day)
      }
      if (pet !== pets.current) return
      this.#show(pet)
      void this.#begin(pet)
    })
    this.#show(pets.current)
  }

  /** Loads the list of scenes, which needs a key. */
  load(): Promise<void> {
    this.#loading = this.#day.load().then(() => this.#day.offer(this.#pets.current))
    return this.#loading
  }

  /** Once a pet is drawn, continues with its newest picture, or draws today if that is free. */
  async #begin(pet: Pet): Promise<void> {
    if (!isNewlyDrawn(pet, this.#begun) || pet.diary !== undefined) return
    const query = new URLSearchParams({ user_id: pet.userId, page_size: '100' })
    const path = `v1/pet-diary-images?${query}`
    // Without a response, the day can be drawn again. A guest may list no pictures: some are of other pets.
    const isGuest = findGuestPet() !== undefined
    const list = isGuest
      ? undefined
      : await send<{ items: DiaryTask[] }>({ method: 'GET', path }).catch(ignoreCallError)
    const newest = list?.items.find(({ pet_id, status }) => pet_id === pet.id && status !== 'failed')
    await this.#loading
    if (pet.diary !== undefined || this.#step.of(pet.id).isBusy) return
    if (newest !== undefined) await this.#continue(pet, newest)
    else if (isFree(pet)) await this.#redraw(pet)
  }

  /** Shows the newest picture of a pet, with the choices that it was drawn for, or else its scene. */
  async #continue(pet: Pet, { task_id, scene_id }: DiaryTask): Promise<void> {
    const { day, diary } = findKept(pet)
    // `svc demo` draws the day that the form opens on.
    const isFirst = day === undefined && isFree(pet) && pet === this.#pets.current
    const best = isFirst ? await this.#select(pet, this.#readWish(pet)).catch(ignoreCallError) : undefined
    const drawn = best?.scene_id === scene_id ? this.#day.keep() : diary === task_id ? day : undefined
    if (pet === this.#pets.current) {
      if (drawn === undefined) this.#day.choose(scene_id)
      else this.#day.restore(drawn)
      this.#keepDay(pet)
    }
    await this.#step.of(pet.id).run(() => this.#follow(task_id, { pet, weather: toWeather(drawn) }))
    if (drawn !== undefined && isFree(pet) && pet === this.#pets.current) await this.#redraw(pet)
  }

  /** Keeps the choices of a pet, for a reload and for when it is chosen again. */
  #keepDay({ avatar }: Pet): void {
    if (avatar !== undefined) keepFacts(avatar.task_id, { day: this.#day.keep() })
  }

  /** Reads and keeps what the form says. */
  #readWish(pet: Pet): Wish {
    this.#keepDay(pet)
    return { sceneId: this.#day.sceneId, day: this.#day.read(pet), weather: toWeather(this.#day.keep()) }
  }

  /** Follows a choice: shows the scene that fits the day best, and draws the pet into it if that is free. */
  async #redraw(pet: Pet): Promise<void> {
    const activity = this.#step.of(pet.id)
    const wish = this.#readWish(pet)
    const { sceneId, weather } = wish
    if (sceneId !== '' && !isFree(pet)) return
    const isWanted = () => !activity.isOvertaken
    await activity.runNext(async () => {
      await this.#loading
      const selection = await this.#select(pet, wish, isWanted)
      const scene = selection?.scene_id ?? sceneId
      if (scene === '' || activity.isOvertaken) return
      const drawn = this.#pictures.get(toPictureKey(pet, scene, weather))
      pet.diary = { selection, drawn: drawn ?? pet.diary?.drawn }
      const title = this.#day.title(scene)
      activity.say(hasDrawn(pet, scene) ? `${title}, with ${pet.name}.` : `${title}. ${nextStep(pet)}`)
      this.#pets.changed(pet)
      if (isFree(pet) && drawn === undefined) await this.#draw(scene, { pet, selection, weather, isWanted })
    })
  }

  async #drawOnRequest(pet: Pet): Promise<void> {
    if (this.#drawing.has(pet.id)) return
    const wish = this.#readWish(pet)
    await this.#step.of(pet.id).runNext(async () => {
      this.#drawing.add(pet.id)
      await this.#drawDay(pet, wish).finally(() => this.#drawing.delete(pet.id))
    })
  }

  async #drawDay(pet: Pet, wish: Wish): Promise<void> {
    const selection = await this.#select(pet, wish)
    const scene = selection?.scene_id ?? wish.sceneId
    pet.diary = { selection, drawn: pet.diary?.drawn }
    this.#pets.changed(pet)
    if (toReference(pet) !== undefined) return this.#draw(scene, { pet, selection, weather: wish.weather })
    this.#step.of(pet.id).say(`${this.#day.title(scene)}. ${nextStep(pet)}`)
  }

  /**
   * Selects the scene of a day, unless one was chosen. For the server, the calendar outweighs the facts: a holiday that nobody
   * chose gives way to the day before it.
   */
  async #select(pet: Pet, { sceneId, day }: Wish, isWanted = () => true): Promise<ExplainedSelection | undefined> {
    if (sceneId !== '') return undefined
    let { date } = day
    for (;;) {
      const selection = await selectWhenDrawn(this.#step.of(pet.id), { ...day, date }, isWanted)
      const scene = selection?.scene_id ?? ''
      if (this.#day.isPreset(scene)) date = toDayBefore(date)
      else
        return (
          selection && { ...selection, reason: describeReason(selection, this.#day.describe(pet, scene, day.facts)) }
        )
    }
  }

  async #draw(scene: string, drawing: Drawing): Promise<void> {
    const { pet, weather } = drawing
    const activity = this.#step.of(pet.id)
    activity.say(`Drawing ${pet.name}: ${this.#day.title(scene)}…`)
    const { task_id, poll_after_seconds } = await activity.call<Created>({
      method: 'POST',
      path: 'v1/pet-diary-images/generate',
      json: { ...toReference(pet), scene_ids: [scene], weather },
    })
    await wait(poll_after_seconds ?? 0)
    await this.#follow(task_id, drawing)
  }

  async #follow(taskId: string, { pet, selection, weather, isWanted }: Drawing): Promise<void> {
    const activity = this.#step.of(pet.id)
    const query = new URLSearchParams({ user_id: pet.userId, pet_id: pet.id })
    const path = `v1/pet-diary-images/tasks/${taskId}?${query}`
    const drawn = await activity.follow<DiaryTask>(path, undefined, isWanted)
    if (isEnded(drawn)) {
      pet.diary = { selection, drawn }
      const isDrawn = drawn.status === 'success'
      if (isDrawn) this.#pictures.set(toPictureKey(pet, drawn.scene_id, weather), drawn)
      if (isDrawn && pet.avatar !== undefined) keepFacts(pet.avatar.task_id, { diary: taskId })
      const failure = drawn.error_message ?? 'The picture could not be drawn.'
      activity.say(isDrawn ? `${this.#day.title(drawn.scene_id)}, with ${pet.name}.` : failure)
      this.#pets.changed(pet)
    }
    await activity.showCost(pet)
  }

  /** Uses aria-disabled, since `disabled` would lose the focus. */
  #showButton(): void {
    const { id, diary } = this.#pets.current
    this.#button.ariaDisabled = String(this.#drawing.has(id))
    const isDrawn = diary?.drawn?.image_url != null
    this.#button.textContent = isDrawn ? 'Draw it again' : 'Draw the day'
    this.#button.className = isDrawn ? 'quiet' : 'primary'
  }

  #show(pet: Pet): void {
    const { selection, drawn } = pet.diary ?? {}
    // A picture of another scene stays only until the one that is being drawn is there.
    const isCurrent = selection === undefined || hasDrawn(pet, selection.scene_id) || isFree(pet)
    if (drawn?.image_url != null && isCurrent)
      showPicture(this.#canvas, toOwnAddress(drawn.image_url), `${pet.name}: ${this.#day.title(drawn.scene_id)}`)
    else if (selection !== undefined) showPicture(this.#canvas, toOwnAddress(selection.image_url), 'From the library')
    else showPrint(this.#canvas, pet.photo, `The photo of ${pet.name}`)
    this.#reason.replaceChildren()
    if (selection === undefined) return
    const title = make('strong', {}, this.#day.title(selection.scene_id))
    this.#reason.append(title, ` was chosen ${selection.reason}.`)
  }
}

const findKept = ({ avatar }: Pet): Partial<KeptTask> => listTasks().find(({ id }) => id === avatar?.task_id) ?? {}

/** The weather to draw; a chosen scene keeps its own. */
const toWeather = (day: KeptDay | undefined) => (day?.sceneId === '' && day.weather !== '' ? day.weather : undefined)

const toPictureKey = ({ id }: Pet, scene: string, weather = '') => `${id} ${scene} ${weather}`

/** True if the pet is drawn into the scene. */
function hasDrawn({ diary }: Pet, sceneId: string): boolean {
  return diary?.drawn?.image_url != null && diary.drawn.scene_id === sceneId
}

function toDayBefore(date: string): string {
  return new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)
}

function nextStep(pet: Pet): string {
  return toReference(pet) === undefined
    ? 'Choose a pet above to have it drawn into this scene.'
    : `Draw the day to see ${pet.name} in it.`
}

/** Selects a scene, and retries while the library draws it first. Returns undefined once `isWanted` returns false. */
async function selectWhenDrawn(
  activity: Activity,
  json: object,
  isWanted: () => boolean,
): Promise<Selection | undefined> {
  activity.say('Looking for the scene that fits best…')
  while (isWanted()) {
    try {
      return await activity.call({ method: 'POST', path: 'v1/pet-diary-image-libraries/select', json })
    } catch (error) {
      if (!(error instanceof CallError && error.status === 503)) throw error
      activity.say('This scene is drawn for the first time…')
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
