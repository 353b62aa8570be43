import { SvcError } from '../errors.js'
import type { DiaryStore } from '../ports/diary.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Provider } from '../ports/provider.js'
import type { NewPicture, NewTask, Owner, Task, TaskStore } from '../ports/tasks.js'
import { createId } from '../runtime/ids.js'
import { findNearest } from '../text/spelling.js'
import { type DiaryPet, type DiarySource, resolvePet, type SourcePorts } from './diary-source.js'
import { type DiaryVersion, defaultDiaryVersion, diaryVersions, parsePromptVersion } from './diary-versions.js'
import type { IdentityStore } from './identity.js'
import type { Species } from './poses.js'
import { findShownWeather, fitsSpecies, type Scene } from './scenes.js'
import { storePhoto } from './source-photo.js'
import { type TaskBase, type TaskRequest, toTaskBase } from './task-base.js'
import type { DiaryInput, DiaryLibraryInput } from './task-inputs.js'

export interface DiaryPorts extends SourcePorts {
  readonly tasks: Pick<TaskStore, 'createTask'> & Pick<DiaryStore, 'findPictures'> & IdentityStore
  readonly objects: Pick<ObjectStore, 'put' | 'delete' | 'findHead'>
  readonly provider: Pick<Provider, 'label' | 'imageModel'>
  /** Of the default library. */
  readonly scenes: readonly Scene[]
}

export interface DiaryRequest extends TaskRequest<CreatedDiary> {
  /** As in the request body; an identity asset has its own owner. */
  readonly owner: Owner
  readonly source: DiarySource
  readonly species?: Species | null | undefined
  readonly diaryId: string | null
  /** One scene makes a picture, several make a library. */
  readonly sceneIds: readonly string[]
  /** As in the request body. */
  readonly promptVersion: string | null
  /** The weather of the day in the caller's words. */
  readonly weather: string | null
  /** True to paint the pictures of a library again even if the same ones exist. */
  readonly forceRegenerate: boolean
}

/** A diary task, or a library task with its diary tasks. */
export interface CreatedDiary {
  readonly task: NewTask
  readonly children: readonly NewTask[]
}

/**
 * Creates a task that paints the pet in a scene, or a library task for several scenes. The reference is checked, and
 * downloaded if necessary, before any task exists.
 * Throws `invalid_request` that names the field, `not_found` if the asset or object does not exist.
 * Source: gateway contract, 4.12.
 */
export async function createDiary(ports: DiaryPorts, request: DiaryRequest, now: Date): Promise<CreatedDiary> {
  const scenes = findScenes(ports.scenes, request.sceneIds)
  const promptVersion = choosePromptVersion(request.promptVersion)
  const isSingle = scenes.length === 1
  const id = createId(isSingle ? 'diary_' : 'diary_lib_')
  const photoKey = `ai-gateway/photos/${id}.jpg`
  const pet = await resolvePet(ports, request.source, request, photoKey, (species) => requireFit(scenes, species))
  const base = toTaskBase(request, pet.owner, ports.provider.label, ports.provider.imageModel, now)
  const planned = scenes.map((scene) => {
    const input = toInput(request, pet, scene, promptVersion)
    // A stored reference is identified by its key, a downloaded one by its content.
    const reference = pet.photo?.name ?? input.referenceKeys[0] ?? ''
    return planDiaryTask(base, isSingle ? id : createId('diary_'), input, reference, isSingle ? null : id)
  })
  const [only] = isSingle ? planned : []
  const created = {
    task: only ?? planLibrary(base, id, pet, promptVersion),
    children: isSingle ? [] : await reusePictures(ports, request, pet.owner, planned),
  }
  const create = () => ports.tasks.createTask(created.task, 'pet-diary', request.toAnswer?.(created), created.children)
  if (pet.photo === undefined) await create()
  else await storePhoto(ports.objects, photoKey, pet.photo, create)
  return created
}

/** Throws `not_found`, also for a task of another user or pet. Source: gateway contract, 4.13. */
export async function getDiaryTask(
  tasks: Pick<TaskStore, 'findTask'>,
  id: string,
  userId: string,
  petId?: string | null,
): Promise<Task> {
  const task = await tasks.findTask(id)
  const isDiary = task?.kind === 'diary' || task?.kind === 'diary_library'
  if (isDiary && task.owner.userId === userId && (petId ?? task.owner.petId) === task.owner.petId) return task
  throw new SvcError('not_found', 'There is no diary task with this ID for this user and pet.')
}

const imagePrefix = 'img_'
const taskPrefix = 'diary_'

/** Returns the ID of a diary task's picture, or null until the picture exists. */
export function findImageId({ id, status }: Pick<Task, 'id' | 'status'>): string | null {
  return status === 'success' ? imagePrefix + id.slice(taskPrefix.length) : null
}

/** Returns the ID of a picture's task; undefined if the ID is not of a picture. */
export function findPictureTask(imageId: string): string | undefined {
  return imageId.startsWith(imagePrefix) ? taskPrefix + imageId.slice(imagePrefix.length) : undefined
}

/** Returns the task of a picture. Throws `not_found`. Source: gateway contract, 4.14. */
export async function getDiaryImage(tasks: Pick<TaskStore, 'findTask'>, imageId: string): Promise<Task> {
  const id = findPictureTask(imageId)
  const task = id === undefined ? undefined : await tasks.findTask(id)
  if (task?.kind === 'diary' && findImageId(task) === imageId) return task
  throw new SvcError('not_found', 'There is no diary image with this ID.')
}

function choosePromptVersion(text: string | null): DiaryVersion {
  const version = text === null ? defaultDiaryVersion : parsePromptVersion(text)
  if (version !== undefined) return version
  const known = `${diaryVersions.slice(0, -1).join(', ')} or ${diaryVersions.at(-1)}`
  throw new SvcError('invalid_request', `\`prompt_version\` must be ${known}, or one of these after "diary-prompt-".`)
}

/** Throws `invalid_request` that names the first unknown ID, with the nearest one. */
function findScenes(scenes: readonly Scene[], ids: readonly string[]): Scene[] {
  const known = new Map(scenes.map((scene) => [scene.scene_id, scene]))
  return ids.map((id) => {
    const scene = known.get(id)
    if (scene !== undefined) return scene
    const nearest = findNearest(id, [...known.keys()])
    const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`
    const wrong = `\`scene_ids\` has ${JSON.stringify(id)}, which is not a scene of the default library.`
    throw new SvcError('invalid_request', `${wrong}${advice}`)
  })
}

function requireFit(scenes: readonly Scene[], species: Species): void {
  const scene = scenes.find((each) => !fitsSpecies(each, species))
  if (scene === undefined) return
  throw new SvcError('invalid_request', `\`scene_ids\` has ${scene.scene_id}, which is not a scene for a ${species}.`)
}

function toInput(
  { diaryId, weather: dayWeather }: DiaryRequest,
  { species, breed, identityAssetId, listReferences }: DiaryPet,
  scene: Scene,
  promptVersion: DiaryVersion,
): DiaryInput {
  const { scene_id: sceneId, recommended_pose: pose } = scene
  const weather = findShownWeather(scene, dayWeather)
  const referenceKeys = listReferences(pose)
  return {
    ...{ species, breed, sceneId, pose, promptVersion, diaryId, identityAssetId, referenceKeys },
    ...(weather && { weather }),
    locale: 'en-US',
  }
}

function planLibrary(
  base: TaskBase,
  id: string,
  { species, identityAssetId }: DiaryPet,
  promptVersion: DiaryVersion,
): NewTask {
  const input: DiaryLibraryInput = { species, promptVersion, identityAssetId }
  return { ...base, id, kind: 'diary_library', parentId: null, input, units: [] }
}

/**
 * Reuses pictures that exist already, unless the request regenerates them.
 * @NOTE contract: the pictures that are reused without `force_regenerate` are not shown: those of the same pet,
 * reference, scene and prompts.
 */
async function reusePictures(
  { tasks, objects }: Pick<DiaryPorts, 'tasks' | 'objects'>,
  { forceRegenerate }: DiaryRequest,
  owner: Owner,
  planned: readonly NewTask[],
): Promise<readonly NewTask[]> {
  if (forceRegenerate) return planned
  const made = await tasks.findPictures(
    owner,
    planned.flatMap(({ picture }) => picture?.recipe ?? []),
  )
  return Promise.all(
    planned.map(async (task) => {
      const picture = made.get(task.picture?.recipe ?? '')
      const output = picture?.units[0]?.output ?? undefined
      return picture && output && (await isPictureStored(objects, picture)) ? { ...task, reused: output } : task
    }),
  )
}

/** Plans a task for one picture. `reference` identifies the picture of the pet that it is based on. */
export function planDiaryTask(
  base: TaskBase,
  id: string,
  input: DiaryInput,
  reference: string,
  parentId: string | null,
): NewPicture {
  const { species, sceneId } = input
  const picture = { species, sceneId, recipe: toRecipe(input, reference) }
  return { ...base, id, kind: 'diary', parentId, input, units: [sceneId], picture }
}

/** Pictures of one pet with the same recipe are interchangeable. */
export function toRecipe(
  { species, sceneId, promptVersion, weather }: Pick<DiaryInput, 'species' | 'sceneId' | 'promptVersion' | 'weather'>,
  reference: string,
): string {
  return JSON.stringify([reference, species, sceneId, promptVersion, weather].filter((part) => part !== undefined))
}

/** True if the file of a finished picture still exists; a lost one must be painted again. Throws `unavailable`. */
export async function isPictureStored(objects: Pick<ObjectStore, 'findHead'>, { units }: Task): Promise<boolean> {
  const key = units[0]?.output?.files.picture
  return key !== undefined && (await objects.findHead(key)) !== undefined
}
