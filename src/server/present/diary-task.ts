import type { DiaryLibraryTask, DiaryTask } from '../../contract/diary.js'
import { findImageId } from '../../media/diary.js'
import type { Library } from '../../media/library-task.js'
import type { DiaryInput, DiaryLibraryInput } from '../../media/task-inputs.js'
import type { Task, TaskStatus } from '../../ports/tasks.js'
import { isUnfinished, type Presenting, presentFailure, presentTimes } from './task.js'

/** Source: gateway contract, 2.6. */
export function presentDiaryTask(task: Task, presenting: Presenting): DiaryTask {
  const { diaryId, identityAssetId, sceneId, pose, promptVersion } = task.input as DiaryInput
  const [unit] = task.units
  const key = unit?.output?.files.picture ?? null
  return {
    request_id: task.requestId,
    task_id: task.id,
    kind: 'diary',
    library_task_id: task.parentId,
    user_id: task.owner.userId,
    pet_id: task.owner.petId,
    diary_id: diaryId,
    identity_asset_id: identityAssetId,
    scene_id: sceneId,
    selected_pose: pose,
    prompt_version: promptVersion,
    // A diary task has one unit and is never deleted.
    status: task.status as DiaryTask['status'],
    generated_cos_key: key,
    image_id: findImageId(task),
    image_url: key && presenting.sign(key),
    ...presentFailure(unit?.failure ?? null),
    ...presentPolling(task.status, presenting),
    ...presentTimes(task),
  }
}

/** The contract has only `task_id`, `status`, `profile` and `total_count`; the rest is our addition. */
export function presentDiaryLibrary(library: Library, presenting: Presenting): DiaryLibraryTask {
  const { task, children, status, successCount, failedCount, updatedAt } = library
  const { species, identityAssetId, promptVersion } = task.input as DiaryLibraryInput
  return {
    request_id: task.requestId,
    task_id: task.id,
    kind: 'diary_library',
    // The tasks of a library are never deleted.
    status: status as DiaryLibraryTask['status'],
    profile: species,
    total_count: children.length,
    completed_count: successCount + failedCount,
    success_count: successCount,
    failed_count: failedCount,
    user_id: task.owner.userId,
    pet_id: task.owner.petId,
    identity_asset_id: identityAssetId,
    prompt_version: promptVersion,
    items: children.map((child) => presentDiaryTask(child, presenting)),
    ...presentPolling(status, presenting),
    ...presentTimes({ createdAt: task.createdAt, updatedAt }),
  }
}

/** Unlike avatars and animations, finished diary tasks omit `poll_after_seconds`. Source: gateway contract, 2.6. */
function presentPolling(status: TaskStatus, { pollAfterSeconds }: Presenting) {
  return isUnfinished(status) ? { poll_after_seconds: pollAfterSeconds } : {}
}
