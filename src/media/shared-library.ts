import { SvcError } from '../errors.js'
import type { DiaryStore } from '../ports/diary.js'
import type { Budget } from '../ports/money.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Provider } from '../ports/provider.js'
import type { Owner, Task, TaskStatus, TaskStore } from '../ports/tasks.js'
import { createId } from '../runtime/ids.js'
import { isPictureStored, planDiaryTask, toRecipe } from './diary.js'
import { defaultDiaryVersion } from './diary-versions.js'
import type { Species } from './poses.js'
import type { Scene } from './scenes.js'
import { settleLibrary } from './status.js'
import { type ModelPrice, sharedId, type TaskRequest, toSpending, toTaskBase } from './task-base.js'
import type { DiaryInput } from './task-inputs.js'

export interface SharedLibraryPorts {
  readonly store: Pick<TaskStore, 'createSharedTask'> & Pick<DiaryStore, 'findPictures'>
  readonly objects: Pick<ObjectStore, 'put' | 'findHead'>
  readonly loadModel: (alias: 'svc-avatar') => Promise<Pick<Provider, 'label' | 'imageModel'> & ModelPrice>
  /** True if pictures are drawn by the stub, without a model. */
  readonly isDrawn: () => Promise<boolean>
  /** The photo of the pet that represents its species. */
  readonly readPhoto: (species: Species) => Promise<Uint8Array>
  /** Waits until the worker has finished the task; returns undefined if that takes too long for a caller. */
  readonly finishTask: (id: string) => Promise<Task | undefined>
}

export interface SharedPictureRequest extends Pick<TaskRequest, 'requestId' | 'callId' | 'traceparent' | 'keyId'> {
  readonly species: Species
  readonly scene: Scene
  readonly keyBudget: Budget | null
  /** True if the key may have pictures made by a model. */
  readonly mayUseModel: boolean
}

export interface SharedLibrary {
  /**
   * Returns those of the scenes whose picture can be chosen: for a key without access to the model, only those
   * painted already.
   */
  listScenes(
    request: Pick<SharedPictureRequest, 'species' | 'mayUseModel'>,
    scenes: readonly Scene[],
  ): Promise<readonly Scene[]>
  /**
   * Returns the picture of a scene. Paints it at its first use, and again if its file is lost, by an ordinary task
   * owned by `shared`.
   * Throws `not_found` if it does not exist and the key may not have it painted, `provider_error` if it cannot be
   * painted, `unavailable` while it takes longer than a caller may wait.
   */
  getPicture(request: SharedPictureRequest, now: Date): Promise<Task>
}

const owner: Owner = { userId: sharedId, petId: sharedId, missing: [] }
/** Not an object key, so that pictures of a caller's pet with this name never match. */
const reference = 'shared'

const toPhotoKey = (species: Species) => `ai-gateway/shared/${species}.jpg`

export function createSharedLibrary(ports: SharedLibraryPorts): SharedLibrary {
  const { store, objects, isDrawn } = ports
  return {
    async listScenes({ species, mayUseModel }, scenes) {
      if (mayUseModel || (await isDrawn())) return scenes
      const byRecipe = new Map(scenes.map((scene) => [toSharedRecipe(species, scene), scene]))
      const found = [...(await store.findPictures(owner, [...byRecipe.keys()]))]
      const stored = await Promise.all(found.map(([, picture]) => isPictureStored(objects, picture)))
      const recipes = new Set(found.filter((_, index) => stored[index]).map(([recipe]) => recipe))
      return [...byRecipe].filter(([recipe]) => recipes.has(recipe)).map(([, scene]) => scene)
    },
    async getPicture(request, now) {
      const recipe = toSharedRecipe(request.species, request.scene)
      const found = (await store.findPictures(owner, [recipe])).get(recipe)
      if (found !== undefined && (await isPictureStored(objects, found))) return found
      if (!request.mayUseModel && !(await isDrawn())) throw refusePainting()
      // The task that was found may be the lost one, or another whose file is lost, too.
      const picture = await requirePicture(ports, await createTask(ports, request, now))
      if (await isPictureStored(objects, picture)) return picture
      return requirePicture(ports, await createTask(ports, request, now, picture.id))
    },
  }
}

/** The error for a key that may not have a shared picture painted. */
export function refusePainting(): SvcError {
  const lacks = 'this API key may not have one painted: it needs access to the model svc-avatar and to images'
  return new SvcError('not_found', `There is no library picture to choose from yet, and ${lacks}.`)
}

const toSharedRecipe = (species: Species, scene: Scene) => toRecipe(toInput(species, scene), reference)

async function requirePicture({ finishTask }: SharedLibraryPorts, id: string): Promise<Task> {
  const task = await finishTask(id)
  if (task === undefined) {
    throw new SvcError('unavailable', 'The picture of this day is still being made. Try again soon.')
  }
  if (task.status === 'success') return task
  const cause = new Error(task.units[0]?.failure?.message ?? task.status)
  throw new SvcError('provider_error', 'The model service could not make the picture of this day.', { cause })
}

/**
 * Returns the ID of the task that paints the scene: that of another request if it has one in progress, but not
 * `lostId`.
 */
async function createTask(
  { store, objects, loadModel, readPhoto }: SharedLibraryPorts,
  { requestId, callId, traceparent, keyId, species, scene, keyBudget }: SharedPictureRequest,
  now: Date,
  lostId?: string,
): Promise<string> {
  const photoKey = toPhotoKey(species)
  if ((await objects.findHead(photoKey)) === undefined) await objects.put(photoKey, await readPhoto(species))
  const model = await loadModel('svc-avatar')
  const spending = toSpending(model, keyBudget)
  const request = { requestId, callId, traceparent, keyId, spending }
  const base = toTaskBase(request, owner, model.label, model.imageModel, now)
  const task = planDiaryTask(base, createId('diary_'), toInput(species, scene), reference, null)
  // Usage counts the request with the selection that it made.
  return store.createSharedTask(task, lostId)
}

function toInput(species: Species, { scene_id: sceneId, recommended_pose: pose }: Scene): DiaryInput {
  return {
    ...{ species, sceneId, pose, promptVersion: defaultDiaryVersion, diaryId: null, identityAssetId: null },
    referenceKeys: [toPhotoKey(species)],
    locale: 'en-US',
  }
}

/** The state of a library task, derived from its diary tasks; not stored. */
export interface Library {
  readonly task: Task
  readonly children: readonly Task[]
  readonly status: TaskStatus
  readonly successCount: number
  readonly failedCount: number
  readonly updatedAt: Date
}

/** @NOTE contract: of a library task only four fields are shown. */
export async function getLibrary(store: Pick<DiaryStore, 'listChildren'>, task: Task): Promise<Library> {
  const children = await store.listChildren(task.id)
  const count = (status: TaskStatus) => children.filter((child) => child.status === status).length
  return {
    task,
    children,
    status: settleLibrary(children),
    successCount: count('success'),
    failedCount: count('failed'),
    updatedAt: new Date(Math.max(...children.map(({ updatedAt }) => updatedAt.getTime()))),
  }
}
