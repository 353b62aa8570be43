import { SvcError } from '../errors.js'
import type { DiaryStore, Selection } from '../ports/diary.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Owner, Task } from '../ports/tasks.js'
import { createId } from '../runtime/ids.js'
import { isDate } from './dates.js'
import { findImageId } from './diary.js'
import { isPictureStored } from './diary-plan.js'
import type { Scene } from './scenes.js'
import { type Candidate, type Day, selectCandidate } from './select.js'
import { refusePainting } from './shared-library.js'
import type { TaskRequest } from './task-base.js'

export interface SelectPorts {
  readonly store: Pick<DiaryStore, 'findLibraryPictures' | 'saveSelection'>
  readonly objects: Pick<ObjectStore, 'findHead'>
  /** Of the default library. */
  readonly scenes: readonly Scene[]
  /** Pictures that all pets of the species share; absent if there is no shared library. */
  readonly shared?: SharedPictures | undefined
}

export interface SharedPictures {
  /** Returns those of the scenes whose picture can be chosen. */
  readonly listScenes: (scenes: readonly Scene[]) => Promise<readonly Scene[]>
  /** Returns the picture of a scene, painting it first if necessary. */
  readonly getPicture: (scene: Scene) => Promise<Task>
}

export interface SelectRequest extends Pick<TaskRequest, 'requestId' | 'callId' | 'keyId'> {
  readonly owner: Owner
  readonly diaryId: string | null
  readonly day: Day
}

/** A finished picture, or one of the shared library, which is looked up after it is chosen. */
type Choosable = Candidate & { readonly picture?: Task }

/**
 * Chooses the picture of a day from the pet's library pictures and those that all pets of its species share.
 * Throws `invalid_request` for a date that does not exist, `not_found` if there is nothing to choose from, and the
 * error that prevented a shared picture from being drawn.
 * Source: gateway contract, 4.11.
 */
export async function selectPicture(
  { store, objects, scenes, shared }: SelectPorts,
  { requestId, callId, keyId, owner, diaryId, day }: SelectRequest,
  now: Date,
): Promise<Selection & { readonly picture: Task }> {
  if (!isDate(day.date)) throw new SvcError('invalid_request', '`date` must be an existing date, YYYY-MM-DD.')
  const sceneIds = scenes.map(({ scene_id }) => scene_id)
  const own = await store.findLibraryPictures(owner, day.facts.species, sceneIds)
  const common = (await shared?.listScenes(scenes)) ?? []
  const choice = await chooseStored(objects, [...own.map(toOwn), ...common.map(toShared)], scenes, day)
  const scene = scenes.find(({ scene_id }) => scene_id === choice?.candidate.sceneId)
  const picture = choice?.candidate.picture ?? (scene && (await shared?.getPicture(scene)))
  if (choice === undefined || picture === undefined) {
    // @NOTE contract: not shown; the requested picture does not exist.
    if (shared !== undefined) throw refusePainting()
    throw new SvcError('not_found', 'There is no library picture of this pet yet. Generate some first.')
  }
  const selection: Selection = {
    id: createId('sel_'),
    ...{ owner, diaryId, date: day.date },
    imageId: findImageId(picture) ?? '',
    ...{ sceneId: choice.candidate.sceneId, score: choice.score, matched: choice.matched },
  }
  const missingId = owner.missing.length > 0
  const usage = { requestId, callId, keyId, endpoint: 'pet-diary', ...owner, missingId, createdAt: now }
  await store.saveSelection(selection, usage)
  return { ...selection, picture }
}

/** Returns the best candidate whose file exists. Files are rarely lost, so only the chosen one is checked. */
async function chooseStored(
  objects: Pick<ObjectStore, 'findHead'>,
  candidates: readonly Choosable[],
  scenes: readonly Scene[],
  day: Day,
) {
  for (let left = candidates; ; ) {
    const choice = selectCandidate(left, scenes, day)
    const picture = choice?.candidate.picture
    if (picture === undefined || (await isPictureStored(objects, picture))) return choice
    left = left.filter((candidate) => candidate !== choice?.candidate)
  }
}

function toOwn(picture: Task): Choosable {
  const { id: imageId, createdAt } = picture
  return { imageId, sceneId: picture.units[0]?.name ?? '', isOwn: true, createdAt, picture }
}

/**
 * All shared pictures have the same age and their scene as ID, so that the choice does not depend on which exist
 * already.
 */
function toShared({ scene_id: sceneId }: Scene): Choosable {
  return { imageId: sceneId, sceneId, isOwn: false, createdAt: new Date(0) }
}
