import type { AvatarTask, IdentityAsset as IdentityAssetRecord } from '../../contract/avatar.js'
import { createAvatarTask, getAvatarTask, saveFeedback } from '../../media/avatar.js'
import { findAssetId, getIdentityAsset, type IdentityAsset, listIdentityAssets } from '../../media/identity.js'
import type { MediaPorts } from '../../media/media-ports.js'
import { choosePoses, type Pose, type TaskLocale } from '../../media/poses.js'
import { temporaryId, toOwner } from '../../media/task-base.js'
import type { AvatarInput } from '../../media/task-inputs.js'
import type { Task, UnitView } from '../../ports/tasks.js'
import type { Handlers } from '../pipeline/handler.js'
import {
  type Presenting,
  presentFailure,
  presentingFor,
  presentProgress,
  presentRecord,
  presentTaskCreated,
  presentTimes,
  type SignUrl,
  signerFor,
  toTaskRequest,
} from '../present/task.js'

const createdMessage: Readonly<Record<TaskLocale, string>> = {
  'en-US': 'The avatar task was created.',
  'zh-CN': '头像生成任务已创建。',
}

/** Source: gateway contract, 4.3 to 4.7. */
export function createAvatarHandlers(ports: MediaPorts) {
  const { store } = ports
  return {
    async generateAvatar(call) {
      const { body, files, requestId, now } = call
      const present = (taskId: string) =>
        presentTaskCreated(requestId, taskId, createdMessage[body.locale], ports.pollAfterSeconds)
      const model = await ports.loadModel('svc-avatar')
      const { id } = await createAvatarTask(
        { ...ports, tasks: store, provider: model },
        {
          ...toTaskRequest(call, model, present),
          owner: toOwner(body),
          source: { upload: files.source_image, url: body.source_image_url },
          species: body.species,
          petName: body.pet_name,
          breed: body.breed,
          poses: choosePoses(body.pose, body.poses),
          locale: body.locale,
        },
        now,
      )
      ports.wakeWorker()
      return { body: present(id) }
    },
    async getAvatarTask(call) {
      const task = await getAvatarTask(store, call.params.task_id)
      return { body: presentAvatarTask(task, presentingFor(ports, call)) }
    },
    async listIdentityAssets(call) {
      const { user_id, page, page_size } = call.query
      const { total, items } = await listIdentityAssets(store, user_id ?? temporaryId, page, page_size)
      const sign = signerFor(ports, call)
      return { body: { page, page_size, total, items: items.map((asset) => presentIdentityAsset(asset, sign)) } }
    },
    async getIdentityAsset(call) {
      const asset = await getIdentityAsset(store, call.params.identity_asset_id)
      return { body: presentIdentityAsset(asset, signerFor(ports, call)) }
    },
    async saveAvatarFeedback({ body, requestId, now }) {
      const feedback = body.feedbacks.map(({ cos_key, liked, selected }) => ({ objectKey: cos_key, liked, selected }))
      await saveFeedback(store, feedback, now)
      return { body: { result: { code: 200, message: 'The feedback was saved.', request_id: requestId } } }
    },
  } satisfies Partial<Handlers>
}

type AvatarImage = NonNullable<AvatarTask['images'][Pose]>

/** Source: gateway contract, 2.3. */
function presentAvatarTask(task: Task, presenting: Presenting): AvatarTask {
  const { sign } = presenting
  const { sourceKey } = task.input as AvatarInput
  const fields = {
    // An avatar task is never deleted.
    status: task.status as AvatarTask['status'],
    source_cos_key: sourceKey,
    source_url: sign(sourceKey),
    identity_asset_id: findAssetId(task),
    images: Object.fromEntries(task.units.map((unit) => [unit.name, presentImage(unit, sign)])),
  }
  return Object.assign(presentRecord(task), fields, presentProgress(task, presenting))
}

function presentImage({ status, output, failure }: UnitView, sign: SignUrl): AvatarImage {
  const key = output?.files.image
  if (key === undefined) return { status, generated_url: null, ...presentFailure(failure) }
  return { status, generated_cos_key: key, generated_url: sign(key), ...presentFailure(failure) }
}

/** Source: gateway contract, 2.4. */
function presentIdentityAsset(asset: IdentityAsset, sign: SignUrl): IdentityAssetRecord {
  const { avatar, animation, updatedAt } = asset
  return {
    identity_asset_id: asset.id,
    avatar_task_id: avatar.id,
    animation_task_id: animation?.id ?? null,
    user_id: avatar.owner.userId,
    pet_id: avatar.owner.petId,
    species: asset.species,
    status: asset.status,
    source_url: sign(asset.sourceKey),
    poses: Object.fromEntries(
      asset.poses.map(({ name, imageKey, animationStatus, webpKey, mp4Key }) => [
        name,
        {
          image_url: sign(imageKey),
          animation_status: animationStatus,
          webp_url: webpKey && sign(webpKey),
          mp4_url: mp4Key && sign(mp4Key),
        },
      ]),
    ),
    ...presentTimes({ createdAt: avatar.finishedAt ?? avatar.createdAt, updatedAt }),
  }
}
