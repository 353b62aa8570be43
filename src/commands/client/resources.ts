import type { AnimationTask } from '../../contract/animation.js'
import type { AvatarTask } from '../../contract/avatar.js'

/** What the commands read of a pose, of whatever kind of task it is. */
export interface PoseResult {
  readonly status: string
  readonly generated_url?: string | null
  readonly webp_url?: string | null
  readonly mp4_url?: string | null
  readonly error_message: string | null
}

export type TaskRecord = AvatarTask | AnimationTask

/** The poses of a task, in the order in which the service names them. */
export function listPoses(task: TaskRecord): [pose: string, image: PoseResult][] {
  return Object.entries(task.images)
}
