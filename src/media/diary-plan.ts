import type { ObjectStore } from '../ports/objects.js'
import type { Provider } from '../ports/provider.js'
import type { NewPicture, NewTask, Owner, Task } from '../ports/tasks.js'
import { findDeadline } from './deadline.js'
import type { DiaryInput } from './tasks.js'

/** What all tasks of a request have in common. */
export type TaskBase = Pick<
  NewTask,
  'requestId' | 'keyId' | 'owner' | 'provider' | 'model' | 'createdAt' | 'deadlineAt' | 'spending'
>

export function toTaskBase(
  { requestId, keyId, spending }: Pick<NewTask, 'requestId' | 'keyId' | 'spending'>,
  owner: Owner,
  { label, imageModel }: Pick<Provider, 'label' | 'imageModel'>,
  now: Date,
): TaskBase {
  const deadlineAt = findDeadline(now)
  return { requestId, keyId, owner, provider: label, model: imageModel, createdAt: now, deadlineAt, spending }
}

/** A task for one picture. `reference` tells the picture that it goes by from all others. */
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

/** Pictures of one pet with the same recipe can stand for each other. */
export function toRecipe(
  { species, sceneId, promptVersion }: Pick<DiaryInput, 'species' | 'sceneId' | 'promptVersion'>,
  reference: string,
): string {
  return JSON.stringify([reference, species, sceneId, promptVersion])
}

/** Whether the file of a finished picture is there: one that was lost is to be made anew. Throws `unavailable`. */
export async function isPictureStored(objects: Pick<ObjectStore, 'findHead'>, { units }: Task): Promise<boolean> {
  const key = units[0]?.output?.files.picture
  return key !== undefined && (await objects.findHead(key)) !== undefined
}
