import { type Static, Type } from 'typebox'
import { defineRoute, type Query, type ReplyBody } from './route.js'
import { PetIdFilter, taskStatuses, text, time, unitStatuses } from './schemas.js'

/** The fields of an answered call, as in the log; pet and task come from the database. */
const requestFields = {
  time: time('Time of the response.'),
  request_id: Type.String(),
  caller_request_id: Type.Optional(text('The X-Request-ID that was sent, if it could not be used.')),
  trace_id: Type.Optional(text('Trace of the caller, from the `traceparent` that it sent.')),
  instance: Type.Optional(text('Process that answered. Absent from old lines.')),
  method: Type.String(),
  path: text('Without the query.'),
  status: Type.Integer(),
  duration_ms: Type.Number({ minimum: 0 }),
  key_name: Type.Optional(text('Name of the API key, if it was valid.')),
  pet_id: Type.Optional(text('Pet of the call; `hmac:…`, a keyed hash, if the ID itself is not stored.')),
  task_id: Type.Optional(text('Task that the call created, or that its path names.')),
  fault: Type.Optional(text('Fault rule that changed the response.')),
}

const LoggedRequest = Type.Object(requestFields, { $id: 'LoggedRequest' })

const RuleHits = Type.Array(
  Type.Object({
    rule: Type.String(),
    path: text('JSON Pointer into the body or the query, never the value.'),
    sentence: text('The rule in words.'),
    expected: Type.Optional(text('The expected value.')),
    found: Type.Optional(
      text('The kind of the value that was sent, such as `a string` or `missing`; never the value.'),
    ),
  }),
)

const UnitEvent = Type.Object({
  time: time(),
  event: Type.Enum(['queued', 'started', 'succeeded', 'failed', 'retrying', 'postponed', 'released', 'lost']),
  attempt: Type.Integer({ minimum: 0, description: 'Counts from 1; 0 before the first attempt.' }),
  duration_ms: Type.Optional(Type.Number({ description: 'Since the attempt started.' })),
  code: Type.Optional(text('Reason of the failure.')),
  fault: Type.Optional(text('Fault rule that the unit met.')),
  detail: Type.Optional(
    text('Sentence of the model service about the failure, without keys, URLs and words of callers.'),
  ),
})

const TaskTrace = Type.Object(
  {
    task_id: Type.String(),
    kind: Type.Enum(['avatar', 'animation', 'diary', 'diary_library']),
    status: Type.Enum(taskStatuses),
    created_at: time(),
    finished_at: Type.Optional(time()),
    units: Type.Array(
      Type.Object({
        unit: text('Pose or scene.'),
        status: Type.Enum(unitStatuses),
        events: Type.Array(UnitEvent, { description: 'Oldest first; only those that are still in the log.' }),
        files: Type.Array(Type.Object({ content_type: Type.String(), bytes: Type.Integer() })),
      }),
    ),
    usage: Type.Array(
      Type.Object({
        model: text('Upstream model.'),
        quantity: Type.Integer(),
        unit: Type.Enum(['image', 'clip']),
        cost: Type.Number({ minimum: 0, description: 'In US dollars.' }),
        certain: Type.Boolean({ description: 'False if the response was lost: perhaps not charged.' }),
      }),
    ),
  },
  { $id: 'TaskTrace' },
)

/** The longest X-Request-ID that a caller can send: Node accepts 16 KiB of headers. The log keeps the beginning. */
const requestIdLengthAtMost = 16 << 10

/** Lists the calls that are still in the log, for the gateway's own tooling. Callers continue with `after`. */
export const listRequests = defineRoute({
  method: 'GET',
  path: '/_svc/requests',
  summary: 'Answered calls, oldest first',
  description:
    'Lists the calls that are still in the log. Pass `cursor` as `after` to get those that were logged since.',
  access: 'admin',
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Calls of a response.' }),
    after: Type.Optional(
      Type.String({
        pattern: '^3[0-9a-z]{1,11}$',
        'x-expected': 'the `cursor` of an earlier response',
        description:
          'The `cursor` of an earlier response: returns only calls logged since. If omitted, the newest calls.',
      }),
    ),
    status: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 599, description: 'Returns only calls with this status.' }),
    ),
    pet_id: PetIdFilter,
    request_id: Type.Optional(
      Type.String({
        maxLength: requestIdLengthAtMost,
        description: 'The ID of the response, or the X-Request-ID that was sent.',
      }),
    ),
    include: Type.Optional(
      Type.Enum(['svc'], { description: 'Includes calls of `/_svc` itself, and of pages and their files.' }),
    ),
  }),
  replies: {
    200: Type.Object(
      { data: Type.Array(LoggedRequest), cursor: text('Pass as `after` in the next call.') },
      { $id: 'RequestList' },
    ),
  },
})

/** Returns the last call with this ID, in full detail. */
export const getRequest = defineRoute({
  method: 'GET',
  path: '/_svc/requests/{request_id}',
  summary: 'A call, the rules that its body broke, and the timeline of its task',
  description:
    'Returns the last call with this ID. No response contains a body, a name, a key or the query of an address.',
  access: 'admin',
  params: Type.Object({
    request_id: Type.String({
      minLength: 1,
      maxLength: requestIdLengthAtMost,
      description: 'The ID of the response, or the X-Request-ID that was sent.',
    }),
  }),
  replies: {
    200: Type.Object(
      { ...requestFields, violations: RuleHits, warnings: RuleHits, task: Type.Optional(TaskTrace) },
      { $id: 'RequestTrace' },
    ),
  },
})

export type LoggedRequest = Static<typeof LoggedRequest>
export type RequestHits = Static<typeof RuleHits>
export type TaskTrace = Static<typeof TaskTrace>
export type RequestListQuery = Query<typeof listRequests>

/** Reads the answered calls for these routes, from the log and the store. */
export interface RequestRecords {
  list(query: RequestListQuery, now: Date): Promise<ReplyBody<typeof listRequests>>
  /** Returns the last call with this ID. Throws `not_found`. */
  get(requestId: string, now: Date): Promise<ReplyBody<typeof getRequest>>
}
