import { type Static, Type } from 'typebox'
import { poses } from '../media/poses.js'
import { defineRoute } from './route.js'
import { nullable, text, time } from './schemas.js'

const Fault = Type.Object(
  {
    id: text('In the header `Svc-Fault` of the responses that the rule changed, and in the log.'),
    rule: text('The rule in the compact form, such as `route=GET /v1/models,status=503,times=1`.'),
    state: Type.Enum(['active', 'spent', 'expired'], { description: '`spent` after `times`, `expired` after `for`.' }),
    matched: Type.Integer({
      minimum: 0,
      description: 'Calls and units that match, and that `share` has chosen; each is counted once.',
    }),
    fired: Type.Integer({ minimum: 0, description: 'Those that the rule changed.' }),
    created_at: time(),
    expires_at: nullable(time()),
  },
  { $id: 'Fault' },
)

/** A field of a rule: a flag of the command line, a part of `--fault`, a member of the HTTP body. */
export interface FaultField {
  /** `match` chooses calls and units, `call` and `unit` are effects, `bound` says how often. */
  readonly part: 'match' | 'call' | 'unit' | 'bound'
  /** The type in the HTTP body. */
  readonly type: keyof typeof fieldTypes
  /** Placeholder of the value; absent if the field takes no value. */
  readonly value?: string
  readonly summary: string
}

const fieldTypes = {
  text: Type.String({ maxLength: 512 }),
  number: Type.Integer(),
  flag: Type.Boolean(),
  share: Type.Union([Type.String({ maxLength: 512 }), Type.Number({ description: 'A percentage.' })]),
}

/** The statuses that a rule can answer. */
export const faultStatuses = [401, 403, 404, 409, 413, 422, 429, 500, 502, 503] as const
/** The model aliases that a rule can match. */
export const faultAliases = ['svc-avatar', 'svc-animation'] as const

/** All fields of a rule, in the order of the help. `src/faults/fields.ts` checks their values. */
export const faultFields = {
  route: {
    part: 'match',
    type: 'text',
    value: 'route',
    summary: 'method and path as in the contract, or a path alone; a path may end with *',
  },
  caller: { part: 'match', type: 'text', value: 'key', summary: 'API key of the caller: its ID or name' },
  user: { part: 'match', type: 'text', value: 'id', summary: 'user ID' },
  pet: { part: 'match', type: 'text', value: 'id', summary: 'pet ID' },
  task: { part: 'match', type: 'text', value: 'id', summary: 'task ID' },
  scene: { part: 'match', type: 'text', value: 'id', summary: 'scene of a diary picture' },
  pose: { part: 'match', type: 'text', value: 'pose', summary: `pose: ${poses.join(', ')}` },
  alias: { part: 'match', type: 'text', value: 'model', summary: `model alias: ${faultAliases.join(', ')}` },
  status: { part: 'call', type: 'number', value: 'status', summary: `answers an error: ${faultStatuses.join(', ')}` },
  'retry-after': {
    part: 'call',
    type: 'number',
    value: 'seconds',
    summary: 'Retry-After of that error (default: 1 with 429, 5 with 503)',
  },
  delay: { part: 'call', type: 'text', value: 'time', summary: 'waits before the call is answered, such as 8s' },
  stall: { part: 'call', type: 'text', value: 'time', summary: 'waits in the middle of the response' },
  drop: {
    part: 'call',
    type: 'text',
    value: 'when',
    summary: 'closes the connection before, during or after the work; after: only the response is lost',
  },
  body: {
    part: 'call',
    type: 'text',
    value: 'how',
    summary: 'breaks the response: cut (it ends early) or malformed (it is not JSON)',
  },
  address: {
    part: 'call',
    type: 'text',
    value: 'how',
    summary: 'the file addresses in the response are expired, or broken (lead to no file)',
  },
  code: { part: 'unit', type: 'text', value: 'code', summary: 'the pose or scene fails with this error_code' },
  retries: {
    part: 'unit',
    type: 'number',
    value: 'count',
    summary: 'the first attempts fail (1 to 6), then the pose or scene succeeds',
  },
  slow: { part: 'unit', type: 'text', value: 'time', summary: 'the pose or scene is made later by this time' },
  'never-ends': {
    part: 'unit',
    type: 'flag',
    summary: 'the pose or scene never ends (until the deadline of its task)',
  },
  only: { part: 'unit', type: 'text', value: 'format', summary: 'a clip has this file only: webp or mp4' },
  times: { part: 'bound', type: 'number', value: 'count', summary: 'only the first N calls or poses that match' },
  every: { part: 'bound', type: 'number', value: 'count', summary: 'only every Nth match' },
  share: {
    part: 'bound',
    type: 'share',
    value: 'percent',
    summary: 'only a share of the matches at random, such as 10%',
  },
  for: { part: 'bound', type: 'text', value: 'time', summary: 'only for this time from now, such as 5m' },
} satisfies Readonly<Record<string, FaultField>>

export type FaultFieldName = keyof typeof faultFields
export const faultFieldNames = Object.keys(faultFields) as FaultFieldName[]

/** The fields of `svc fault add`. What they mean together is checked by the handler, as on the command line. */
const NewFault = Type.Object(
  {
    rule: Type.Optional(
      Type.String({ maxLength: 512, description: 'The whole rule in the compact form, in place of the other fields.' }),
    ),
    ...Object.fromEntries(
      Object.entries(faultFields).map(([name, { type, summary }]) => {
        const description = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
        return [name.replace('-', '_'), Type.Optional({ ...fieldTypes[type], description })]
      }),
    ),
  },
  { $id: 'NewFault', additionalProperties: true },
)

/** Lists the fault rules, for tests of clients. In production all these routes answer 403. */
export const listFaults = defineRoute({
  method: 'GET',
  path: '/_svc/faults',
  summary: 'Fault rules, oldest first (test environment only)',
  description: 'Lists the rules that make calls and tasks fail on demand. Answers 403 unless `SVC_ENV` is `test`.',
  access: 'admin',
  replies: { 200: Type.Object({ data: Type.Array(Fault) }, { $id: 'FaultList' }) },
})

export const addFault = defineRoute({
  method: 'POST',
  path: '/_svc/faults',
  summary: 'Add a fault rule',
  description:
    'Makes the calls or units that match fail, wait or lose their response, as `svc fault add` does. Answers 403 unless `SVC_ENV` is `test`.',
  access: 'admin',
  body: NewFault,
  replies: { 200: Fault },
})

export const clearFaults = defineRoute({
  method: 'DELETE',
  path: '/_svc/faults',
  summary: 'Remove all fault rules',
  description: 'Removes all rules and their counts. Answers 403 unless `SVC_ENV` is `test`.',
  access: 'admin',
  replies: { 200: Type.Object({ removed: Type.Integer({ minimum: 0 }) }, { $id: 'FaultsRemoved' }) },
})

export const removeFault = defineRoute({
  method: 'DELETE',
  path: '/_svc/faults/{fault_id}',
  summary: 'Remove a fault rule',
  description: 'Removes one rule. Answers 403 unless `SVC_ENV` is `test`.',
  access: 'admin',
  params: Type.Object({ fault_id: Type.String({ minLength: 1, maxLength: 128, description: 'ID of the rule.' }) }),
  replies: { 204: null },
})

export type Fault = Static<typeof Fault>

/** Manages the rules for these routes. */
export interface FaultRules {
  list(): Promise<Fault[]>
  /** Throws `invalid_request` for fields that make no rule. */
  add(fields: Readonly<Record<string, unknown>>): Promise<Fault>
  /** Throws `not_found`. */
  remove(id: string): Promise<void>
  /** Returns the number of rules that it removed. */
  clear(): Promise<number>
}
