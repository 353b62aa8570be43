import { type Static, Type } from 'typebox'
import { assetStatuses, poseAnimationStatuses } from '../media/identity.js'
import { poseChoices, species, taskLocales } from '../media/poses.js'
import { defineRoute } from './route.js'
import {
  byPose,
  FailureFields,
  LabelText,
  nullable,
  PageQuery,
  PetId,
  Pose,
  ProgressFields,
  pageOf,
  TaskCreated,
  TaskId,
  TaskRecordFields,
  TimeFields,
  text,
  UserId,
  unitStatuses,
} from './schemas.js'

/** @NOTE contract: it shows permissions for `/v1/pet-avatar*`; asset detail and feedback belong to that. */
const access = { group: 'pet-avatar', models: ['svc-avatar'], allow: ['image'] } as const

/** Source: gateway contract, 4.3. */
const AvatarRequest = Type.Object(
  {
    source_image_url: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'HTTP or HTTPS URL of the photo, also as a Markdown link `[url](url)`. Send either this or `source_image`.',
      }),
    ),
    species: Type.Enum(species),
    user_id: UserId,
    pet_id: PetId,
    pet_name: Type.Optional(LabelText),
    breed: Type.Optional(LabelText),
    pose: Type.Enum(poseChoices, { default: 'all' }),
    poses: Type.Optional(
      Type.Array(Pose, {
        minItems: 1,
        uniqueItems: true,
        description: 'Takes precedence over `pose`. In a form: a repeated field, or one field with a JSON array.',
      }),
    ),
    locale: Type.Enum(taskLocales, { default: 'en-US', description: 'Language of messages for people.' }),
  },
  { $id: 'AvatarRequest' },
)

/** Creates a task that draws a pet in up to four poses. Source: gateway contract, 4.3. */
export const generateAvatar = defineRoute({
  method: 'POST',
  path: '/v1/pet-avatar/generate',
  aliases: ['/v1/pet-avatars/generate'],
  summary: 'Create an avatar task from a photo',
  description:
    'Reads the photo, and creates a task that draws the pet in the requested poses. A photo that cannot be used is rejected with 422 before a task exists. The body may be JSON with `source_image_url`, or a form with the file `source_image`.',
  access: { group: 'pet-avatar', models: ['svc-avatar', 'svc-animation'], allow: ['image', 'video'] },
  body: AvatarRequest,
  files: ['source_image'],
  idempotent: true,
  // @NOTE contract: the status of create calls is not shown; every response with a body is 200.
  replies: { 200: TaskCreated },
  errors: ['provider_error'],
})

/** Source: gateway contract, 2.3. */
export const AvatarTask = Type.Object(
  {
    ...TaskRecordFields,
    status: Type.Enum(['pending', 'processing', 'success', 'partial_success', 'failed']),
    source_cos_key: Type.String(),
    source_url: text('Signed, expires.'),
    identity_asset_id: nullable(text('Set when all images succeeded.')),
    images: byPose('AvatarImage', {
      status: Type.Enum(unitStatuses),
      generated_cos_key: Type.Optional(text('Storage key of the image; set on success.')),
      generated_url: nullable(text('Signed, expires; set on success.')),
      ...FailureFields,
    }),
    ...ProgressFields,
  },
  { $id: 'AvatarTask' },
)

export type AvatarTask = Static<typeof AvatarTask>

/** Source: gateway contract, 4.4. */
export const getAvatarTask = defineRoute({
  method: 'GET',
  path: '/v1/pet-avatar/tasks/{task_id}',
  aliases: ['/v1/pet-avatars/tasks/{task_id}'],
  summary: 'Avatar task',
  description: 'Returns the task with its pictures. Query it again after `poll_after_seconds`, until that is null.',
  access,
  params: Type.Object({ task_id: TaskId }),
  replies: { 200: AvatarTask },
})

/** Source: gateway contract, 2.4. */
export const IdentityAsset = Type.Object(
  {
    identity_asset_id: Type.String(),
    avatar_task_id: Type.String(),
    animation_task_id: nullable(text('The newest animation of the avatar task.')),
    user_id: Type.String(),
    pet_id: Type.String(),
    species: Type.Enum(species),
    status: Type.Enum(assetStatuses, {
      description: '`ready` without an animation, otherwise the state of that. The images are usable in every state.',
    }),
    source_url: text('Signed, expires.'),
    poses: byPose('IdentityPose', {
      image_url: Type.String(),
      animation_status: nullable(
        Type.Enum(poseAnimationStatuses, { description: '`partial_success`: only one of WebP and MP4 exists.' }),
      ),
      webp_url: nullable(Type.String()),
      mp4_url: nullable(Type.String()),
    }),
    ...TimeFields,
  },
  { $id: 'IdentityAsset' },
)

export type IdentityAsset = Static<typeof IdentityAsset>

/** The identity assets of a user, newest first. Source: gateway contract, 4.5. */
export const listIdentityAssets = defineRoute({
  method: 'GET',
  path: '/v1/pet-avatars',
  summary: 'Identity assets of a user',
  description: 'Lists the finished avatars of a user, newest first.',
  access,
  query: Type.Object({ user_id: UserId, ...PageQuery }),
  replies: { 200: pageOf(IdentityAsset, 'IdentityAssetPage') },
})

/** Source: gateway contract, 4.6. */
export const getIdentityAsset = defineRoute({
  method: 'GET',
  path: '/v1/pet-avatars/{identity_asset_id}',
  summary: 'Identity asset',
  description: 'Returns a finished avatar with the addresses of its pictures and clips.',
  access,
  params: Type.Object({ identity_asset_id: TaskId }),
  replies: { 200: IdentityAsset },
})

const Opinion = Type.Optional(Type.Boolean({ description: 'If omitted, keeps its value. One of the two is required.' }))

/** Stores user feedback on pose images. Source: gateway contract, 4.7. */
export const saveAvatarFeedback = defineRoute({
  method: 'POST',
  path: '/v1/pet-avatars/feedback',
  summary: 'Feedback on generated images, all records or none',
  description:
    'Stores `liked` and `selected` for pictures of avatars. An omitted value is kept. If a key is unknown or is named twice, nothing is stored.',
  access,
  body: Type.Object(
    {
      feedbacks: Type.Array(
        Type.Object({
          cos_key: Type.String({ minLength: 1, maxLength: 1024, description: 'Storage key of a generated image.' }),
          liked: Opinion,
          selected: Opinion,
        }),
        { minItems: 1, maxItems: 100 },
      ),
    },
    { $id: 'FeedbackRequest' },
  ),
  replies: {
    200: Type.Object(
      { result: Type.Object({ code: Type.Literal(200), message: Type.String(), request_id: Type.String() }) },
      { $id: 'FeedbackSaved' },
    ),
  },
})
