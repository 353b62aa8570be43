/** Diary pictures as the store finds them. */
import type { UsageRecord } from '../ports.js'
import type { Owner, Page, Task } from './tasks.js'

type Pet = Pick<Owner, 'userId' | 'petId'>

/** Which library picture was chosen for a day, and why. Source: gateway contract, 2.7 and 4.11. */
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
  /** Diary tasks in every state, of one user or of all, newest first, ID as tie-break; `page` counts from 1. */
  listDiaryTasks(userId: string | undefined, page: number, pageSize: number): Promise<Page<Task>>
  /** The tasks that a library task was created with, in the order in which they were asked for. */
  listChildren(libraryTaskId: string): Promise<Task[]>
  /** Of each recipe the newest picture of this pet that was delivered, if there is one. */
  findPictures(pet: Pet, recipes: readonly string[]): Promise<ReadonlyMap<string, Task>>
  /** Of each scene the newest picture that a library task delivered for this pet of this species, if there is one. */
  findLibraryPictures(pet: Pet, species: string, sceneIds: readonly string[]): Promise<Task[]>
  /** Keeps the selection and the usage log's entry of its request. */
  saveSelection(selection: Selection, usage: UsageRecord): Promise<void>
}
