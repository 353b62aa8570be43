import { SvcError } from '../errors.js'
import { createId } from '../ids.js'
import type { DiaryStore } from '../ports/diary.js'
import type { Budget } from '../ports/money.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Provider } from '../ports/provider.js'
import type { Owner, Task, TaskStore } from '../ports/tasks.js'
import { isPictureStored, planDiaryTask, toRecipe, toTaskBase } from './diary-plan.js'
import { defaultDiaryVersion } from './diary-versions.js'
import type { Species } from './poses.js'
import type { Scene } from './scenes.js'
import { type ModelPrice, toSpending } from './spending.js'
import type { DiaryInput } from './tasks.js'

export interface SharedLibraryPorts {
  readonly store: Pick<TaskStore, 'createSharedTask'> & Pick<DiaryStore, 'findPictures'>
  readonly objects: Pick<ObjectStore, 'put' | 'findHead'>
  readonly loadModel: (alias: 'svc-avatar') => Promise<Pick<Provider, 'label' | 'imageModel'> & ModelPrice>
  /** Whether the pictures are drawn here, and no model is called for them. */
  readonly isDrawn: () => Promise<boolean>
  /** The photo of the pet that stands for all of its species. */
  readonly readPhoto: (species: Species) => Promise<Uint8Array>
  /** Has the worker take the task up, and answers it when it is final; undefined if that takes too long for a caller. */
  readonly finishTask: (id: string) => Promise<Task | undefined>
}

export interface SharedPictureRequest {
  readonly requestId: string
  readonly keyId: string
  readonly species: Species
  readonly scene: Scene
  readonly keyBudget: Budget | null
  /** Whether the key may have pictures made by a model. */
  readonly mayUseModel: boolean
}

export interface SharedLibrary {
  /** Of these scenes those whose picture can be chosen: without a right to the model that paints, those that have one. */
  listScenes(
    request: Pick<SharedPictureRequest, 'species' | 'mayUseModel'>,
    scenes: readonly Scene[],
  ): Promise<readonly Scene[]>
  /**
   * The picture of a scene, which is painted when it is needed first, and anew where its file is lost: a task like any
   * other, owned by `shared`.
   * Throws `not_found` where there is none and the key may not have it painted, `provider_error` when it cannot be painted,
   * `unavailable` while it takes longer than a caller may wait.
   */
  getPicture(request: SharedPictureRequest, now: Date): Promise<Task>
}

const owner: Owner = { userId: 'shared', petId: 'shared', missing: [] }
/** No storage key: whatever callers have made for a pet of this name is none of these pictures. */
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
      const recipes = new Set(found.filter((_, place) => stored[place]).map(([recipe]) => recipe))
      return [...byRecipe].filter(([recipe]) => recipes.has(recipe)).map(([, scene]) => scene)
    },
    async getPicture(request, now) {
      const recipe = toSharedRecipe(request.species, request.scene)
      const found = (await store.findPictures(owner, [recipe])).get(recipe)
      if (found !== undefined && (await isPictureStored(objects, found))) return found
      if (!request.mayUseModel && !(await isDrawn())) throw refusePainting()
      // The one that stands for it may be the lost one, or another that is lost, too.
      const picture = await requirePicture(ports, await createTask(ports, request, now))
      if (await isPictureStored(objects, picture)) return picture
      return requirePicture(ports, await createTask(ports, request, now, picture.id))
    },
  }
}

/** What a caller is told where there is no shared picture and its key may not have one painted. */
export function refusePainting(): SvcError {
  const lacks = 'this API key may not have one painted: that needs the model svc-avatar and images'
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

/** The ID of the task that paints it: another one's, where somebody has it painted already, but not `lostId`. */
async function createTask(
  { store, objects, loadModel, readPhoto }: SharedLibraryPorts,
  { requestId, keyId, species, scene, keyBudget }: SharedPictureRequest,
  now: Date,
  lostId?: string,
): Promise<string> {
  const photoKey = toPhotoKey(species)
  if ((await objects.findHead(photoKey)) === undefined) await objects.put(photoKey, await readPhoto(species))
  const model = await loadModel('svc-avatar')
  const spending = toSpending(model, keyBudget)
  const base = toTaskBase({ requestId, keyId, spending }, owner, model, now)
  const task = planDiaryTask(base, createId('diary_'), toInput(species, scene), reference, null)
  // The request itself is counted with the selection that it asked for.
  return store.createSharedTask(task, lostId)
}

function toInput(species: Species, { scene_id: sceneId, recommended_pose: pose }: Scene): DiaryInput {
  return {
    ...{ species, sceneId, pose, promptVersion: defaultDiaryVersion, diaryId: null, identityAssetId: null },
    referenceKeys: [toPhotoKey(species)],
    locale: 'en-US',
  }
}
