import type { ObjectStore } from '../ports/objects.js'
import type { NewPicture, Task } from '../ports/tasks.js'
import type { TaskBase } from './task-base.js'
import type { DiaryInput } from './task-inputs.js'

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
