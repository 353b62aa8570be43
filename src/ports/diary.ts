/** Diary pictures as the store finds them. */

import type { Owner, Page, Task } from './tasks.js'
import type { UsageRecord } from './usage.js'

type PetIds = Pick<Owner, 'userId' | 'petId'>

/** The library picture chosen for a day, and the reason. Source: gateway contract, 2.7 and 4.11. */
export interface Selection {
  readonly id: string
  readonly owner: Owner
  readonly diaryId: string | null
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly imageId: string
  readonly sceneId: string
  readonly score: number
  readonly matched: readonly string[]
}

export interface DiaryStore {
  /** Lists the diary tasks of one user or of all, in every state, newest first, then by ID. `page` counts from 1. */
  listDiaryTasks(userId: string | undefined, page: number, pageSize: number): Promise<Page<Task>>
  /** Lists the tasks that were created with a library task, in the order of the request. */
  listChildren(libraryTaskId: string): Promise<Task[]>
  /** Finds the newest delivered picture of this pet for each recipe. A recipe without one has no entry. */
  findPictures(pet: PetIds, recipes: readonly string[]): Promise<ReadonlyMap<string, Task>>
  /** Finds the newest picture of each scene that a library task delivered for this pet and species. */
  findLibraryPictures(pet: PetIds, species: string, sceneIds: readonly string[]): Promise<Task[]>
  /** Stores the selection and the usage entry of its request in one transaction. */
  saveSelection(selection: Selection, usage: UsageRecord): Promise<void>
}
