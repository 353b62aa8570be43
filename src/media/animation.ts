import { SvcError } from '../errors.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Provider } from '../ports/provider.js'
import type { NewTask, Task, TaskStatus, TaskStore } from '../ports/tasks.js'
import { createId } from '../runtime/ids.js'
import type { PoseChoice } from './poses.js'
import { type TaskRequest, toTaskBase } from './task-base.js'
import type { AnimationInput, AvatarInput } from './task-inputs.js'

/** @NOTE contract: the length of a clip is not shown; two seconds hold a whole walk or run cycle and loop. */
export const clipSeconds = 2

/** @NOTE contract: deletion of a task that runs or is being deleted is not shown; it is refused and nothing changes. */
const deletableStatuses: readonly TaskStatus[] = ['success', 'partial_success', 'failed', 'delete_failed']

export interface AnimationPorts {
  readonly tasks: Pick<TaskStore, 'createTask' | 'findTask'>
  readonly provider: Pick<Provider, 'label' | 'videoModel'>
}

export interface AnimationRequest extends TaskRequest {
  readonly avatarTaskId: string
  readonly pose: PoseChoice
}

/**
 * Creates a task that animates the images of an avatar task, one unit per pose. Its owner is that of the avatar task;
 * `all` means every pose that has an image.
 * Throws `not_found` if the avatar task does not exist, `invalid_request` if it or the pose has no image to animate.
 * Source: gateway contract, 4.8.
 */
export async function createAnimationTask(
  { tasks, provider }: AnimationPorts,
  request: AnimationRequest,
  now: Date,
): Promise<NewTask> {
  const avatar = await tasks.findTask(request.avatarTaskId)
  if (avatar?.kind !== 'avatar') {
    throw new SvcError('not_found', 'There is no avatar task with this `avatar_task_id`.')
  }
  const frames = chooseFrames(avatar, request.pose)
  const { species, sourceKey } = avatar.input as AvatarInput
  const input: AnimationInput = { species, seconds: clipSeconds, sourceKey, frames, locale: 'en-US' }
  const task: NewTask = {
    ...toTaskBase(request, avatar.owner, provider.label, provider.videoModel, now),
    id: createId('anim_'),
    kind: 'animation',
    parentId: avatar.id,
    input,
    units: Object.keys(frames),
  }
  await tasks.createTask(task, 'pet-animation', request.toAnswer?.(task.id))
  return task
}

/** Object keys of the images to animate, by pose. */
function chooseFrames(avatar: Task, pose: PoseChoice): Record<string, string> {
  if (avatar.status !== 'success' && avatar.status !== 'partial_success') {
    const reason = avatar.status === 'failed' ? 'has failed' : 'is not finished yet'
    throw new SvcError(
      'invalid_request',
      `\`avatar_task_id\` names a task that ${reason}; there is nothing to animate.`,
    )
  }
  const frames = avatar.units.flatMap(({ name, output }) => {
    const key = output?.files.image
    return key === undefined || (pose !== 'all' && pose !== name) ? [] : [[name, key] as const]
  })
  if (frames.length === 0) {
    throw new SvcError('invalid_request', `\`pose\` is ${pose}, but this avatar task has no image of that pose.`)
  }
  return Object.fromEntries(frames)
}

export interface DeletionPorts {
  readonly tasks: Pick<TaskStore, 'findTask' | 'beginDelete' | 'finishDelete' | 'failDelete' | 'takeDeletions'>
  readonly objects: Pick<ObjectStore, 'delete'>
}

/** Throws `not_found`. */
export async function getAnimationTask(tasks: Pick<TaskStore, 'findTask'>, id: string): Promise<Task> {
  const task = await tasks.findTask(id)
  if (task?.kind === 'animation') return task
  throw new SvcError('not_found', 'There is no animation task with this ID.')
}

/**
 * Deletes a finished animation task and its stored files. If the files cannot be removed, the deletion can be
 * repeated.
 * Throws `not_found`, `conflict` while the task runs or is being deleted, `internal_error` if its files cannot be
 * removed.
 * Source: gateway contract, 3 and 4.10.
 */
export async function deleteAnimationTask(ports: DeletionPorts, id: string): Promise<void> {
  const task = await getAnimationTask(ports.tasks, id)
  if (!(await ports.tasks.beginDelete(id, deletableStatuses))) {
    const { status } = await getAnimationTask(ports.tasks, id)
    const reason =
      status === 'deleting'
        ? 'The task is being deleted already.'
        : `The task is ${status}; it can be deleted after it finishes. Nothing has changed.`
    throw new SvcError('conflict', reason)
  }
  await removeTask(ports, task)
}

/** Finishes the deletions that an earlier process left unfinished: each task is then gone or `delete_failed`. */
export async function resumeDeletions(ports: DeletionPorts): Promise<void> {
  for (const task of await ports.tasks.takeDeletions()) {
    // The status shows the failure, and a repeated deletion reports it again.
    await removeTask(ports, task).catch(() => {})
  }
}

/** Deletes the files first: a task without files can be reported, files without a task cannot. */
async function removeTask({ tasks, objects }: DeletionPorts, { id, units }: Task): Promise<void> {
  try {
    for (const { output } of units) {
      for (const key of Object.values(output?.files ?? {})) await objects.delete(key)
    }
  } catch (cause) {
    await tasks.failDelete(id)
    const message = 'The files of the task could not be removed. Repeat the deletion later.'
    throw new SvcError('internal_error', message, { cause })
  }
  await tasks.finishDelete(id)
}
