import { type Static, Type } from 'typebox'
import { poseChoices } from '../media/poses.js'
import { defineRoute } from './route.js'
import {
  byPose,
  FailureFields,
  nullable,
  ProgressFields,
  TaskCreated,
  TaskId,
  TaskRecordFields,
  taskStatuses,
  unitStatuses,
} from './schemas.js'

/** @NOTE contract: the permissions for animations are not shown; like those for avatars, with the animation model and video. */
const access = { group: 'pet-animation', models: ['svc-animation'], allow: ['video'] } as const

/** Creates a task that sets the images of an avatar task in motion. Source: gateway contract, 4.8. */
export const generateAnimation = defineRoute({
  method: 'POST',
  path: '/v1/pet-animation/generate',
  summary: 'Create an animation task from an avatar task',
  description: 'Creates a task that sets the pictures of an avatar task in motion, as looping WebP and MP4 clips.',
  access,
  body: Type.Object(
    {
      avatar_task_id: Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'An avatar task in `success` or `partial_success`.',
      }),
      pose: Type.Enum(poseChoices, { default: 'all', description: '`all`: every pose that has an image.' }),
    },
    { $id: 'AnimationRequest' },
  ),
  idempotent: true,
  replies: { 200: TaskCreated },
  errors: ['not_found', 'provider_error'],
})

const file = (description: string) => nullable(Type.String({ description }))

/** Source: gateway contract, 2.5. */
export const AnimationTask = Type.Object(
  {
    ...TaskRecordFields,
    avatar_task_id: Type.String(),
    status: Type.Enum(taskStatuses),
    duration_seconds: Type.Integer({ minimum: 1, description: 'Length of the clips.' }),
    output_formats: Type.Array(Type.Enum(['webp', 'mp4'])),
    images: byPose('AnimationClip', {
      status: Type.Enum(unitStatuses),
      webp_cos_key: file('Storage key of the WebP, once it exists.'),
      webp_url: file('Signed, expires.'),
      mp4_cos_key: file('Storage key of the MP4, once it exists.'),
      mp4_url: file('Signed, expires.'),
      ...FailureFields,
    }),
    ...ProgressFields,
  },
  { $id: 'AnimationTask' },
)

export type AnimationTask = Static<typeof AnimationTask>

/** Source: gateway contract, 4.9. */
export const getAnimationTask = defineRoute({
  method: 'GET',
  path: '/v1/pet-animation/tasks/{task_id}',
  summary: 'Animation task',
  description: 'Returns the task with its clips. Query it again after `poll_after_seconds`, until that is null.',
  access,
  params: Type.Object({ task_id: TaskId }),
  replies: { 200: AnimationTask },
})

/** Source: gateway contract, 4.10. */
export const deleteAnimationTask = defineRoute({
  method: 'DELETE',
  path: '/v1/pet-animation/tasks/{task_id}',
  summary: 'Delete a finished animation task and its files',
  description: 'Deletes the task and its files. A task that is not finished is rejected with 409.',
  access,
  params: Type.Object({ task_id: TaskId }),
  replies: { 204: null },
  errors: ['conflict'],
})
