import { createAnimationTask, deleteAnimationTask, getAnimationTask } from '../../media/animation.js'
import { toSpending } from '../../media/spending.js'
import type { Handlers } from '../pipeline/call.js'
import { presentAnimationTask } from '../present/animation-task.js'
import { type MediaPorts, presentingFor, presentTaskCreated, toIdempotentAnswer } from './media.js'

/** Source: gateway contract, 4.8 to 4.10. */
export function createAnimationHandlers(
  ports: MediaPorts,
): Pick<Handlers, 'generateAnimation' | 'getAnimationTask' | 'deleteAnimationTask'> {
  const { store, objects } = ports
  return {
    async generateAnimation({ key, body, reservation, requestId, callId, now }) {
      const present = (taskId: string) =>
        presentTaskCreated(requestId, taskId, 'The animation task was created.', ports.pollAfterSeconds)
      const model = await ports.loadModel('svc-animation')
      const { id } = await createAnimationTask(
        { tasks: store, provider: model },
        {
          requestId,
          callId,
          keyId: key.id,
          avatarTaskId: body.avatar_task_id,
          pose: body.pose,
          spending: toSpending(model, key.budget),
          toAnswer: toIdempotentAnswer(reservation, present),
        },
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
  }
}
