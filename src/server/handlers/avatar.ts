import { createAvatarTask, getAvatarTask } from '../../media/avatar.js'
import { saveFeedback } from '../../media/feedback.js'
import { getIdentityAsset, listIdentityAssets } from '../../media/identity.js'
import type { MediaPorts } from '../../media/media-ports.js'
import { temporaryId, toOwner } from '../../media/owner.js'
import { choosePoses, type TaskLocale } from '../../media/poses.js'
import type { Handlers } from '../pipeline/handler.js'
import { presentAvatarTask } from '../present/avatar-task.js'
import { presentIdentityAsset } from '../present/identity-asset.js'
import { presentingFor, presentTaskCreated, signerFor, toTaskRequest } from './media.js'

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
