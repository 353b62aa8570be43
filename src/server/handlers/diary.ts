import { findMissing } from '../../contract/access.js'
import {
  type DiaryLibraryTask,
  type DiaryTask,
  generateDiaryImages,
  type selectDiaryImage,
} from '../../contract/diary.js'
import { type CreatedDiary, createDiary, findImageId, getDiaryImage, getDiaryTask } from '../../media/diary.js'
import type { DiaryVersion } from '../../media/diary-versions.js'
import type { DiaryMediaPorts } from '../../media/media-ports.js'
import { presentLibrary, type SceneLibrary } from '../../media/scenes.js'
import { type SharedPictures, selectPicture } from '../../media/select-picture.js'
import { getLibrary, type Library, type SharedLibrary } from '../../media/shared-library.js'
import { settleLibrary } from '../../media/status.js'
import { temporaryId, toOwner } from '../../media/task-base.js'
import type { DiaryInput, DiaryLibraryInput } from '../../media/task-inputs.js'
import type { Task, TaskStatus } from '../../ports/tasks.js'
import type { Call, Handlers } from '../pipeline/handler.js'
import {
  isUnfinished,
  type Presenting,
  presentFailure,
  presentingFor,
  presentTimes,
  signerFor,
  toTaskRequest,
} from '../present/task.js'

/** Source: gateway contract, 4.11 to 4.14. */
export function createDiaryHandlers(ports: DiaryMediaPorts) {
  const { store } = ports
  return {
    async generateDiaryImages(call) {
      const { body, now } = call
      const present = (created: CreatedDiary) => presentCreated(created, ports.pollAfterSeconds)
      const model = await ports.loadModel('svc-avatar')
      const created = await createDiary(
        { ...ports, tasks: store, provider: model, scenes: await ports.loadScenes() },
        {
          ...toTaskRequest(call, model, present),
          owner: toOwner(body),
          source: { identityAssetId: body.identity_asset_id, url: body.source_image_url, cosKey: body.cos_key },
          species: body.species,
          diaryId: body.diary_id ?? null,
          sceneIds: body.scene_ids,
          promptVersion: body.prompt_version ?? null,
          weather: body.weather ?? null,
          forceRegenerate: body.force_regenerate,
        },
        now,
      )
      ports.wakeWorker()
      return { body: present(created) }
    },
    async getDiaryTask(call) {
      const { user_id, pet_id } = call.query
      const task = await getDiaryTask(store, call.params.task_id, user_id ?? temporaryId, pet_id)
      const presenting = presentingFor(ports, call)
      if (task.kind === 'diary') return { body: presentDiaryTask(task, presenting) }
      return { body: presentDiaryLibrary(await getLibrary(store, task), presenting) }
    },
    async listDiaryImages(call) {
      const { user_id, page, page_size } = call.query
      const { total, items } = await store.listDiaryTasks(user_id ?? ports.listedUserId, page, page_size)
      const presenting = presentingFor(ports, call)
      return { body: { page, page_size, total, items: items.map((task) => presentDiaryTask(task, presenting)) } }
    },
    async getDiaryImage(call) {
      const task = await getDiaryImage(store, call.params.image_id)
      return { body: presentDiaryTask(task, presentingFor(ports, call)) }
    },
    async selectDiaryImage(call) {
      const { key, body, requestId, callId, now } = call
      const selection = await selectPicture(
        {
          store,
          objects: ports.objects,
          scenes: await ports.loadScenes(),
          shared: ports.sharedLibrary && toShared(ports.sharedLibrary, call),
        },
        {
          requestId,
          callId,
          keyId: key.id,
          owner: toOwner(body),
          diaryId: body.diary_id ?? null,
          day: { date: body.date, facts: body.facts },
        },
        now,
      )
      return { body: presentSelection(selection, signerFor(ports, call)) }
    },
  } satisfies Partial<Handlers>
}

/**
 * Limits the shared library to what this call may use.
 * @NOTE contract: not shown; a selection needs no permission for a model, so it never calls one that the key may not use.
 */
function toShared(
  library: SharedLibrary,
  { key, body, requestId, callId, traceparent, now }: Call<typeof selectDiaryImage>,
): SharedPictures {
  const { species } = body.facts
  const mayUseModel = findMissing(key, generateDiaryImages.access).length === 0
  const origin = { requestId, callId, traceparent, keyId: key.id }
  const request = { ...origin, species, keyBudget: key.budget, mayUseModel }
  return {
    listScenes: (scenes) => library.listScenes(request, scenes),
    getPicture: (scene) => library.getPicture({ ...request, scene }, now),
  }
}

/** Presents a created picture or library. Source: gateway contract, 4.12. */
function presentCreated({ task, children }: CreatedDiary, pollAfterSeconds: number) {
  const created = { request_id: task.requestId, task_id: task.id }
  const { species, pose } = task.input as DiaryInput
  if (task.kind === 'diary') {
    return {
      ...created,
      kind: 'diary' as const,
      status: 'pending' as const,
      selected_pose: pose,
      poll_after_seconds: pollAfterSeconds,
    }
  }
  const statuses = children.map(({ reused }) => ({ status: reused === undefined ? 'pending' : 'success' }) as const)
  return {
    ...created,
    kind: 'diary_library' as const,
    // If every picture is reused, the library is already finished.
    status: settleLibrary(statuses),
    profile: species,
    total_count: children.length,
    poll_after_seconds: pollAfterSeconds,
  }
}

/** Source: gateway contract, 2.7. */
function presentSelection(selection: Awaited<ReturnType<typeof selectPicture>>, sign: (key: string) => string) {
  const { id, imageId, sceneId, score, matched, picture } = selection
  const key = picture.units[0]?.output?.files.picture ?? ''
  return {
    selection_id: id,
    image_id: imageId,
    generated_cos_key: key,
    scene_id: sceneId,
    image_url: sign(key),
    match_reason: { score, matched: [...matched] },
  }
}

/** Source: gateway contract, 2.6. */
function presentDiaryTask(task: Task, presenting: Presenting): DiaryTask {
  const { diaryId, identityAssetId, sceneId, pose, promptVersion } = task.input as DiaryInput
  const [unit] = task.units
  const key = unit?.output?.files.picture ?? null
  const fields = {
    request_id: task.requestId,
    task_id: task.id,
    kind: 'diary' as const,
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
  }
  const polling = presentPolling(task.status, presenting)
  return Object.assign(fields, presentFailure(unit?.failure ?? null), polling, presentTimes(task))
}

/** The contract has only `task_id`, `status`, `profile` and `total_count`; the rest is our addition. */
function presentDiaryLibrary(library: Library, presenting: Presenting): DiaryLibraryTask {
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

/** Reads each library on its first request. */
export function createAppMetadataHandlers(readLibrary: (version: DiaryVersion) => Promise<SceneLibrary>) {
  const answers = new Map<DiaryVersion, { body: ReturnType<typeof presentLibrary>; json: string }>()
  return {
    async listDiaryScenes({ query: { version } }) {
      const known = answers.get(version)
      if (known !== undefined) return known
      const body = presentLibrary(await readLibrary(version))
      const answer = { body, json: JSON.stringify(body) }
      answers.set(version, answer)
      return answer
    },
  } satisfies Partial<Handlers>
}
