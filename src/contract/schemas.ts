import { type TSchema, Type } from 'typebox'
import { statusByCode } from '../errors.js'

/** Source: gateway contract, 7. */
export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum(Object.keys(statusByCode), { description: 'What went wrong; each code has one status.' }),
      message: Type.String({ description: 'A sentence for people.' }),
      request_id: Type.String({
        description: 'Equals the header X-Request-ID; finds the call in the logs of both sides.',
      }),
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
        id: Type.String({ description: 'Model alias that other calls use.' }),
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
    metric: Type.String(),
    viewWindow: Type.String(),
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
    summary: Type.String({ description: 'One paragraph in the language asked for.' }),
    generation: Type.Object({
      ruleId: Type.String(),
      ruleVersion: Type.String(),
      generatedAt: Type.String({ format: 'date-time' }),
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

/** A member that is always there; null where it has no value. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** One member for each pose that was asked for. */
export function byPose<T extends TSchema>(schema: T) {
  const pose = Type.Optional(schema)
  return Type.Object({ lying: pose, sitting: pose, walking: pose, running: pose })
}

const missing = 'Left out or null: `temporary` stands for it.'

const userId = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    // The database would keep another character in place of half a pair, and then not find the ID. With or without `u`.
    pattern: '^([^\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$',
    'x-expected': 'no lone surrogate, such as \\ud800: it stands for no character',
    description,
  })

/** Source: gateway contract, 1 and 8. */
export const UserId = Type.Optional(nullable(userId(missing)))

/** Of a list that has those of all users where none is named. */
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
export const PetId = Type.Optional(nullable(petId(missing)))

/** Of a query that may ask for one pet alone. Source: gateway contract, 8. */
export const PetIdFilter = Type.Optional(petId('Only what belongs to this pet.'))

/** A name or a breed. Source: gateway contract, 8. */
export const LabelText = Type.String({ minLength: 1, maxLength: 128 })

/** The ID of a task or an asset, in a path. */
export const TaskId = Type.String({ minLength: 1, maxLength: 128 })

/** Source: gateway contract, 4.5. */
export const PageQuery = {
  page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
}

/** One page of a list. Beyond the end it is empty. */
export function pageOf<T extends TSchema>(item: T, $id: string) {
  return Type.Object(
    {
      page: Type.Integer(),
      page_size: Type.Integer(),
      total: Type.Integer({ description: 'Of all pages.' }),
      items: Type.Array(item),
    },
    { $id },
  )
}

const PollAfterSeconds = nullable(
  Type.Integer({ minimum: 1, description: 'How long to wait before the next look; null when the task is finished.' }),
)

/** Source: gateway contract, 4.3 and 4.8. */
export const TaskCreated = Type.Object(
  {
    request_id: Type.String(),
    task_id: Type.String(),
    status: Type.Enum(taskStatuses),
    message: Type.String({ description: 'A sentence for people.' }),
    poll_after_seconds: PollAfterSeconds,
  },
  { $id: 'TaskCreated' },
)

/** What the records of tasks begin with. Source: gateway contract, 2.3 and 2.5. */
export const TaskRecordFields = {
  // @NOTE contract: which request is not shown; the one that created the task, so that the record does not change.
  request_id: Type.String({ description: 'ID of the call that created the task.' }),
  task_id: Type.String(),
  user_id: Type.String(),
  pet_id: Type.String(),
  provider: Type.String({ description: 'Upstream provider.' }),
  model: Type.String({ description: 'Upstream model.' }),
}

/** Of a pose that failed. Source: gateway contract, 2.3 and 2.5. */
export const FailureFields = {
  error_code: nullable(Type.String({ description: 'Set when this pose failed.' })),
  error_message: nullable(Type.String({ description: 'Set when this pose failed.' })),
}

/** Beyond the contract, which shows no times. */
export const TimeFields = {
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
}

/** What the records of tasks end with. */
export const ProgressFields = {
  poll_after_seconds: PollAfterSeconds,
  ...TimeFields,
}
