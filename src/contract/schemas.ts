import { type TProperties, type TSchema, Type } from 'typebox'
import { statusByCode } from '../errors.js'
import { metrics, viewWindows } from '../insight/types.js'
import { poses } from '../media/poses.js'

/** A text, with what it is. */
export const text = (description: string) => Type.String({ description })

/** A time as ISO 8601 in UTC. */
export const time = (description?: string) => Type.String({ format: 'date-time', ...(description && { description }) })

/** Source: gateway contract, 7. */
export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum(Object.keys(statusByCode), { description: 'Kind of error; each code has one status.' }),
      message: text('A sentence for people.'),
      request_id: text('Equals the header X-Request-ID; identifies the call in the logs of both sides.'),
    }),
  },
  { $id: 'Error' },
)

/** Source: gateway contract, 2.1. */
export const HealthReport = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded']),
    service: Type.String(),
    version: Type.String(),
  },
  { $id: 'HealthReport' },
)

/** Source: gateway contract, 2.2. */
export const ModelList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: text('Model alias that other calls use.'),
        type: Type.Enum(['text', 'image', 'video']),
      }),
    ),
  },
  { $id: 'ModelList' },
)

/** Source: health detail contract, 2.5. */
export const HealthDetailInsight = Type.Object(
  {
    insightId: Type.String(),
    petId: Type.String(),
    metric: Type.Enum(metrics),
    viewWindow: Type.Enum(viewWindows),
    period: Type.Object({
      startDate: Type.String({ format: 'date' }),
      endDate: Type.String({ format: 'date' }),
      timezone: Type.String(),
      isCompleted: Type.Boolean(),
      elapsedNights: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      validNights: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    }),
    status: Type.Enum(['attention', 'normal', 'observation', 'insufficient_data']),
    severity: Type.Enum(['low', 'none']),
    summary: text('One paragraph in the requested language.'),
    generation: Type.Object({
      ruleId: Type.String(),
      ruleVersion: Type.String(),
      generatedAt: time(),
      aiPolished: Type.Literal(false),
    }),
  },
  { $id: 'HealthDetailInsight' },
)

/** Source: gateway contract, 2.5. */
export const taskStatuses = [
  'pending',
  'processing',
  'success',
  'partial_success',
  'failed',
  'deleting',
  'delete_failed',
] as const

/** Source: gateway contract, 2.3. */
export const unitStatuses = ['pending', 'processing', 'success', 'failed'] as const

/** A member that is always present; null if it has no value. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** A member that callers may omit, or send as null. */
export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(nullable(schema))
}

/** Source: gateway contract, 2.3. */
export const Pose = Type.Enum(poses, { $id: 'Pose', description: 'Pose of the pet.' })

/** One member for each requested pose, of a schema with the name `$id`: generated clients have one type for the four. */
export function byPose<T extends TProperties>($id: string, properties: T) {
  const pose = Type.Optional(Type.Object(properties, { $id }))
  return Type.Object({ lying: pose, sitting: pose, walking: pose, running: pose })
}

const missing = 'If omitted or null: `temporary`.'

const userId = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    // The database would replace a lone surrogate, and then not find the ID. RE2, of Go and others, cannot name surrogates:
    // these are the characters around them, and those after U+FFFF. Without the flag `u`, U+10000 is read as its two
    // surrogates, and the second class as the other surrogates: then every text is accepted.
    pattern: '^([\\x00-\ud7ff\ue000-\uffff\u{10000}]|[^\\x00-\u{10000}\ue000-\uffff])*$',
    'x-expected': 'no lone surrogates such as \\ud800, which are not characters',
    description,
  })

/** Source: gateway contract, 1 and 8. */
export const UserId = optional(userId(missing))

/** The filter of a list that has the entries of all users by default. */
export const userIdFilter = (description: string) => Type.Optional(userId(description))

const petId = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    pattern: '^[A-Za-z0-9_-]+$',
    'x-expected': 'only letters, digits, _ and -',
    description,
  })

/** Source: gateway contract, 1 and 8. */
export const PetId = optional(petId(missing))

/** The filter of a list by pet. Source: gateway contract, 8. */
export const PetIdFilter = Type.Optional(petId('Returns only entries of this pet.'))

/** A name or a breed. Source: gateway contract, 8. */
export const LabelText = Type.String({ minLength: 1, maxLength: 128 })

/** The ID of a task or an asset, in a path. */
export const TaskId = Type.String({ minLength: 1, maxLength: 128, description: 'The ID, as answers name it.' })

/** Source: gateway contract, 4.5. */
export const PageQuery = {
  page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'Number of the page.' }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Entries on a page.' }),
}

/** One page of a list. A page past the end is empty. */
export function pageOf<T extends TSchema>(item: T, $id: string) {
  return Type.Object(
    {
      page: Type.Integer(),
      page_size: Type.Integer(),
      total: Type.Integer({ description: 'Number of entries on all pages.' }),
      items: Type.Array(item),
    },
    { $id },
  )
}

const PollAfterSeconds = nullable(
  Type.Integer({ minimum: 1, description: 'Seconds to wait before the next query; null once the task is finished.' }),
)

/** Source: gateway contract, 4.3 and 4.8. */
export const TaskCreated = Type.Object(
  {
    request_id: Type.String(),
    task_id: Type.String(),
    status: Type.Enum(taskStatuses),
    message: text('A sentence for people.'),
    poll_after_seconds: PollAfterSeconds,
  },
  { $id: 'TaskCreated' },
)

/** The first fields of task records. Source: gateway contract, 2.3 and 2.5. */
export const TaskRecordFields = {
  // @NOTE contract: it is not shown which request this is; the one that created the task, so that the record does not change.
  request_id: text('ID of the call that created the task.'),
  task_id: Type.String(),
  user_id: Type.String(),
  pet_id: Type.String(),
  provider: text('Upstream provider.'),
  model: text('Upstream model.'),
}

/** The failure of a pose. Source: gateway contract, 2.3 and 2.5. */
export const FailureFields = {
  error_code: nullable(text('Set if this pose failed.')),
  error_message: nullable(text('Set if this pose failed.')),
}

/** An addition to the contract, which shows no times. */
export const TimeFields = {
  created_at: time(),
  updated_at: time(),
}

/** The last fields of task records. */
export const ProgressFields = {
  poll_after_seconds: PollAfterSeconds,
  ...TimeFields,
}
