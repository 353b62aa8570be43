import type { AnimationTask } from '../../contract/animation.js'
import type { AnimationInput } from '../../media/task-inputs.js'
import type { Task, UnitView } from '../../ports/tasks.js'
import { type Presenting, presentFailure, presentProgress, presentRecord, type SignUrl } from './task.js'

/** Source: gateway contract, 2.5. */
export function presentAnimationTask(task: Task, presenting: Presenting): AnimationTask {
  return {
    ...presentRecord(task),
    avatar_task_id: task.parentId ?? '',
    duration_seconds: findDuration(task),
    output_formats: ['webp', 'mp4'],
    images: Object.fromEntries(task.units.map((unit) => [unit.name, presentClip(unit, presenting.sign)])),
    ...presentProgress(task, presenting),
  }
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
