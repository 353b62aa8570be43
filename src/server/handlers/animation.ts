import type { AnimationTask } from '../../contract/animation.js'
import { createAnimationTask, deleteAnimationTask, getAnimationTask } from '../../media/animation.js'
import type { MediaPorts } from '../../media/media-ports.js'
import type { AnimationInput } from '../../media/task-inputs.js'
import type { Task, UnitView } from '../../ports/tasks.js'
import type { Handlers } from '../pipeline/handler.js'
import {
  type Presenting,
  presentFailure,
  presentingFor,
  presentProgress,
  presentRecord,
  presentTaskCreated,
  type SignUrl,
  toTaskRequest,
} from '../present/task.js'

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

/** Source: gateway contract, 2.5. */
export function presentAnimationTask(task: Task, presenting: Presenting): AnimationTask {
  const fields = {
    avatar_task_id: task.parentId ?? '',
    duration_seconds: findDuration(task),
    output_formats: ['webp', 'mp4'] satisfies AnimationTask['output_formats'],
    images: Object.fromEntries(task.units.map((unit) => [unit.name, presentClip(unit, presenting.sign)])),
  }
  return Object.assign(presentRecord(task), fields, presentProgress(task, presenting))
}

/** Returns the length of the finished clips, or the requested length until there is one. */
function findDuration({ units, input }: Task): number {
  const lengths = units.flatMap(({ output }) => output?.durationSeconds ?? [])
  return lengths[0] ?? (input as AnimationInput).seconds
}

function presentClip({ status, output, failure }: UnitView, sign: SignUrl) {
  const { webp = null, mp4 = null } = output?.files ?? {}
  return {
    status,
    webp_cos_key: webp,
    webp_url: webp && sign(webp),
    mp4_cos_key: mp4,
    mp4_url: mp4 && sign(mp4),
    ...presentFailure(failure),
  }
}
