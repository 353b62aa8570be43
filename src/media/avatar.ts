import { SvcError } from '../errors.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Photo } from '../ports/photos.js'
import type { Provider } from '../ports/provider.js'
import type { NewTask, Owner, Task, TaskStore } from '../ports/tasks.js'
import { createId } from '../runtime/ids.js'
import type { Pose, Species, TaskLocale } from './poses.js'
import { downloadPhoto, type PhotoPorts, storePhoto } from './source-photo.js'
import { type TaskRequest, toTaskBase } from './task-base.js'
import type { AvatarInput } from './task-inputs.js'

export interface AvatarPorts extends PhotoPorts {
  readonly tasks: Pick<TaskStore, 'createTask'>
  readonly objects: Pick<ObjectStore, 'put' | 'delete'>
  readonly provider: Pick<Provider, 'label' | 'imageModel' | 'takesCompanion'>
}

export interface AvatarRequest extends TaskRequest {
  readonly owner: Owner
  /** Exactly one of the two. */
  readonly source: { readonly upload?: Uint8Array | undefined; readonly url?: string | undefined }
  readonly species: Species
  readonly petName?: string | undefined
  readonly breed?: string | undefined
  readonly poses: readonly Pose[]
  readonly locale: TaskLocale
}

/**
 * Creates a task that draws the pet of a photo, one unit per pose. The photo is read, normalized and stored first, so
 * that an unusable photo is rejected here.
 * Throws `invalid_request` that names the field of the photo.
 * Source: gateway contract, 4.3.
 */
export async function createAvatarTask(ports: AvatarPorts, request: AvatarRequest, now: Date): Promise<NewTask> {
  const photo = await readSource(ports, request.source)
  const id = createId('avatar_')
  const sourceKey = `ai-gateway/photos/${id}.jpg`
  const { species, petName, breed, locale } = request
  const input: AvatarInput = { species, petName, breed, locale, sourceKey }
  const task: NewTask = {
    ...toTaskBase(request, request.owner, ports.provider.label, ports.provider.imageModel, now),
    id,
    kind: 'avatar',
    parentId: null,
    input,
    units: request.poses,
    ...(ports.provider.takesCompanion && request.poses.length > 1 ? { waitsForFirst: true } : {}),
  }
  const create = () => ports.tasks.createTask(task, 'pet-avatar', request.toAnswer?.(id))
  await storePhoto(ports.objects, sourceKey, photo, create)
  return task
}

/** Throws `not_found`. Source: gateway contract, 4.4. */
export async function getAvatarTask(tasks: Pick<TaskStore, 'findTask'>, id: string): Promise<Task> {
  const task = await tasks.findTask(id)
  if (task?.kind === 'avatar') return task
  throw new SvcError('not_found', 'There is no avatar task with this ID.')
}

async function readSource(ports: PhotoPorts, { upload, url }: AvatarRequest['source']): Promise<Photo> {
  if (upload !== undefined && url !== undefined) throw refuseSource('not both')
  if (upload !== undefined) return ports.photos.readPhoto(upload, 'source_image')
  if (url === undefined) throw refuseSource('a photo is needed')
  return downloadPhoto(ports, url)
}

function refuseSource(why: string): SvcError {
  return new SvcError('invalid_request', `Send \`source_image\` (a file) or \`source_image_url\`: ${why}.`)
}
