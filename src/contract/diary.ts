import { type Static, Type } from 'typebox'
import { defaultDiaryVersion, diaryVersions } from '../media/diary-versions.js'
import { species } from '../media/poses.js'
import { defineRoute } from './route.js'
import {
  nullable,
  optional,
  PageQuery,
  PetId,
  PetIdFilter,
  Pose,
  pageOf,
  TaskId,
  TimeFields,
  taskStatuses,
  text,
  UserId,
  unitStatuses,
  userIdFilter,
} from './schemas.js'

/** @NOTE contract: the permissions for diary pictures are not shown; an image model makes them, a selection needs no model. */
const access = { group: 'pet-diary', models: ['svc-avatar'], allow: ['image'] } as const

const ReferenceId = optional(Type.String({ minLength: 1, maxLength: 128 }))
const DiaryId = optional(Type.String({ maxLength: 128, description: 'Stored and returned unchanged.' }))
const PollAfterSeconds = Type.Integer({ minimum: 1, description: 'Seconds to wait before the next query.' })

/** Source: gateway contract, 4.12. */
const DiaryRequest = Type.Object(
  {
    user_id: UserId,
    pet_id: PetId,
    diary_id: DiaryId,
    identity_asset_id: ReferenceId,
    source_image_url: optional(
      Type.String({
        minLength: 1,
        description: 'HTTP or HTTPS URL of a photo, also as a Markdown link `[url](url)`.',
      }),
    ),
    cos_key: optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'Storage key of a picture; begins with `ai-gateway/`.',
      }),
    ),
    species: optional(
      Type.Enum(species, {
        description: 'Required without `identity_asset_id`; with it, ignored in favor of the species of the asset.',
      }),
    ),
    scene_ids: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Scenes of the default library: one for a picture, several for a library of pictures.',
    }),
    prompt_version: optional(
      Type.String({
        maxLength: 128,
        description: `One of ${diaryVersions.join(', ')}, also as \`diary-prompt-${defaultDiaryVersion}\`; ${defaultDiaryVersion} if omitted or null.`,
      }),
    ),
    // @NOTE contract: not shown; an addition, since a scene alone does not say what the weather of the day was.
    weather: optional(
      Type.String({
        maxLength: 128,
        description:
          'Weather of the day, in the words of a selection. Shown in scenes of any weather, such as holidays; ignored in others.',
      }),
    ),
    force_regenerate: Type.Boolean({
      default: false,
      description: 'True to make the pictures of a library again that were made before.',
    }),
  },
  {
    $id: 'DiaryRequest',
    description: 'Requires exactly one of `identity_asset_id`, `source_image_url` and `cos_key`.',
  },
)

/** @NOTE contract: not shown; an addition by which callers tell a picture from a library. */
const pictureKind = Type.Literal('diary', { description: 'One picture.' })
const libraryKind = Type.Literal('diary_library', { description: 'A library of pictures.' })

const created = { request_id: Type.String(), task_id: Type.String() }

/** Source: gateway contract, 4.12. */
const DiaryCreated = Type.Object(
  {
    ...created,
    kind: pictureKind,
    status: Type.Enum(unitStatuses),
    selected_pose: Pose,
    poll_after_seconds: PollAfterSeconds,
  },
  { $id: 'DiaryCreated' },
)

const Profile = Type.Enum(species, { description: 'Species of the pet.' })

/** Source: gateway contract, 4.12. */
const DiaryLibraryCreated = Type.Object(
  {
    ...created,
    kind: libraryKind,
    status: Type.Enum(taskStatuses),
    profile: Profile,
    total_count: Type.Integer(),
    poll_after_seconds: PollAfterSeconds,
  },
  { $id: 'DiaryLibraryCreated' },
)

/** Creates a task for one diary picture, or for several. Source: gateway contract, 4.12. */
export const generateDiaryImages = defineRoute({
  method: 'POST',
  path: '/v1/pet-diary-images/generate',
  summary: 'Create a diary picture task, or a library of them',
  description:
    'Creates a task for one picture if `scene_ids` has one scene, otherwise a library with a picture for each.',
  access,
  body: DiaryRequest,
  ignore: ({ identity_asset_id }) => (identity_asset_id == null ? [] : ['species']),
  idempotent: true,
  replies: { 200: Type.Union([DiaryCreated, DiaryLibraryCreated], { $id: 'DiaryCreation' }) },
  errors: ['not_found', 'provider_error'],
})

/** Source: gateway contract, 2.6. */
export const DiaryTask = Type.Object(
  {
    request_id: text('ID of the call that created the task.'),
    task_id: Type.String(),
    kind: pictureKind,
    library_task_id: nullable(text('The library that the picture belongs to.')),
    user_id: Type.String(),
    pet_id: Type.String(),
    diary_id: nullable(Type.String()),
    identity_asset_id: nullable(Type.String()),
    scene_id: Type.String(),
    selected_pose: Pose,
    prompt_version: Type.Enum([...diaryVersions]),
    status: Type.Enum(unitStatuses),
    generated_cos_key: nullable(text('Storage key of the picture; set on success.')),
    image_id: nullable(text('Set on success.')),
    image_url: nullable(text('Signed, expires; set on success.')),
    error_code: nullable(text('Set if the task failed.')),
    error_message: nullable(text('Set if the task failed.')),
    poll_after_seconds: Type.Optional(PollAfterSeconds),
    ...TimeFields,
  },
  {
    $id: 'DiaryTask',
    description:
      '`selected_pose` is the recommended pose of the scene. `poll_after_seconds` is absent once the task is finished.',
  },
)

export type DiaryTask = Static<typeof DiaryTask>

/** @NOTE contract: of a library task only `task_id`, `status`, `profile` and `total_count` are shown. */
export const DiaryLibraryTask = Type.Object(
  {
    request_id: text('ID of the call that created the task.'),
    task_id: Type.String(),
    kind: libraryKind,
    status: Type.Enum(['pending', 'processing', 'success', 'partial_success', 'failed']),
    profile: Profile,
    total_count: Type.Integer(),
    completed_count: Type.Integer({ description: 'Succeeded or failed.' }),
    success_count: Type.Integer(),
    failed_count: Type.Integer(),
    user_id: Type.String(),
    pet_id: Type.String(),
    identity_asset_id: nullable(Type.String()),
    prompt_version: Type.Enum([...diaryVersions]),
    items: Type.Array(DiaryTask, { description: 'In the order of `scene_ids`.' }),
    poll_after_seconds: Type.Optional(PollAfterSeconds),
    ...TimeFields,
  },
  { $id: 'DiaryLibraryTask', description: '`poll_after_seconds` is absent once all pictures are finished.' },
)

export type DiaryLibraryTask = Static<typeof DiaryLibraryTask>

/** Source: gateway contract, 4.13. */
export const getDiaryTask = defineRoute({
  method: 'GET',
  path: '/v1/pet-diary-images/tasks/{task_id}',
  summary: 'Diary picture task, or a library of them',
  description:
    'Returns the task if it belongs to the user. Query it again after `poll_after_seconds`, until the field is absent.',
  access,
  params: Type.Object({ task_id: TaskId }),
  query: Type.Object({ user_id: UserId, pet_id: PetIdFilter }),
  replies: { 200: Type.Union([DiaryTask, DiaryLibraryTask], { $id: 'DiaryTaskResult' }) },
})

/** Source: gateway contract, 4.14. */
export const listDiaryImages = defineRoute({
  method: 'GET',
  path: '/v1/pet-diary-images',
  summary: 'Diary picture tasks, newest first',
  description: 'Lists the pictures of a user in every state.',
  access,
  // @NOTE contract: the paging of this list is not shown; it is that of the identity assets.
  query: Type.Object({
    user_id: userIdFilter('If omitted: all users in the environment `test`, otherwise `temporary`.'),
    ...PageQuery,
  }),
  replies: { 200: pageOf(DiaryTask, 'DiaryTaskPage') },
})

/** Source: gateway contract, 4.14. */
export const getDiaryImage = defineRoute({
  method: 'GET',
  path: '/v1/pet-diary-images/{image_id}',
  summary: 'Diary picture',
  description: 'Returns a finished picture by the ID of its image.',
  access,
  params: Type.Object({ image_id: TaskId }),
  replies: { 200: DiaryTask },
})

/** @NOTE contract: the values of facts are not shown; any text is accepted, and an unknown one matches no scene. */
const Fact = optional(Type.String({ maxLength: 128 }))

/** Source: gateway contract, 2.7. */
const DiarySelection = Type.Object(
  {
    selection_id: Type.String(),
    image_id: Type.String(),
    generated_cos_key: Type.String(),
    scene_id: Type.String(),
    image_url: text('Signed, expires.'),
    match_reason: Type.Object({
      score: Type.Number({ minimum: 0, maximum: 1, description: '0.5 if no fact counts for or against the scene.' }),
      matched: Type.Array(Type.String(), { description: 'Facts that the scene shows.' }),
    }),
  },
  { $id: 'DiarySelection' },
)

/** Selects a picture for a day. Source: gateway contract, 4.11. */
export const selectDiaryImage = defineRoute({
  method: 'POST',
  path: '/v1/pet-diary-image-libraries/select',
  summary: 'Select the library picture that fits a day best',
  description:
    'Selects among the pictures of the pet and those that pets of its species share. A shared picture is made when it is first selected.',
  access: { group: 'pet-diary' },
  body: Type.Object(
    {
      user_id: UserId,
      pet_id: PetId,
      diary_id: DiaryId,
      date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', 'x-expected': 'a date as YYYY-MM-DD' }),
      facts: Type.Object({
        species: Type.Enum(species),
        season: Fact,
        weather: Fact,
        location: Fact,
        activity: Fact,
        mood: Fact,
        holiday: Fact,
      }),
    },
    { $id: 'DiarySelectRequest' },
  ),
  replies: { 200: DiarySelection },
  errors: ['not_found', 'provider_error', 'unavailable'],
})
