import { createAnimationTask, deleteAnimationTask, getAnimationTask } from '../../media/animation.js'
import type { MediaPorts } from '../../media/media-ports.js'
import type { Handlers } from '../pipeline/handler.js'
import { presentAnimationTask } from '../present/animation-task.js'
import { presentingFor, presentTaskCreated, toTaskRequest } from './media.js'

/** Source: gateway contract, 4.8 to 4.10. */
export function createAnimationHandlers(ports: MediaPorts) {
  const { store, objects } = ports
  return {
    async generateAnimation(call) {
      const { body, requestId, now } = call
      const present = (taskId: string) =>
        presentTaskCreated(requestId, taskId, 'The animation task was created.', ports.pollAfterSeconds)
      const model = await ports.loadModel('svc-animation')
      const { id } = await createAnimationTask(
        { tasks: store, provider: model },
        { ...toTaskRequest(call, model, present), avatarTaskId: body.avatar_task_id, pose: body.pose },
        now,
      )
      ports.wakeWorker()
      return { body: present(id) }
    },
    async getAnimationTask(call) {
      const task = await getAnimationTask(store, call.params.task_id)
      return { body: presentAnimationTask(task, presentingFor(ports, call)) }
    },
    async deleteAnimationTask({ params }) {
      await deleteAnimationTask({ tasks: store, objects }, params.task_id)
      return { status: 204 }
    },
  } satisfies Partial<Handlers>
}
