import { type Static, Type } from 'typebox'
import { defineRoute } from './route.js'
import { nullable } from './schemas.js'

const time = Type.String({ format: 'date-time' })

const Fault = Type.Object(
  {
    id: Type.String({ description: 'In the header `Svc-Fault` of the answers that the rule changed, and in the log.' }),
    rule: Type.String({
      description: 'The rule in the compact form, such as `route=GET /v1/models,status=503,times=1`.',
    }),
    state: Type.Enum(['active', 'spent', 'expired'], { description: '`spent` after `times`, `expired` after `for`.' }),
    matched: Type.Integer({
      minimum: 0,
      description: 'Calls and units that match, and that `share` has chosen; each is counted once.',
    }),
    fired: Type.Integer({ minimum: 0, description: 'Those that the rule changed.' }),
    created_at: time,
    expires_at: nullable(time),
  },
  { $id: 'Fault' },
)

const text = (description: string) => Type.Optional(Type.String({ maxLength: 512, description }))
const number = (description: string) => Type.Optional(Type.Integer({ description }))

/** The fields of `svc fault add`. What they mean together is checked by the handler, as on the command line. */
const NewFault = Type.Object(
  {
    rule: text('The whole rule in the compact form, in place of the other fields.'),
    route: text('Method and path as in the contract, or a path alone; a path may end with `*`.'),
    caller: text('API key of the caller: its ID or name.'),
    user: text('User ID.'),
    pet: text('Pet ID.'),
    task: text('Task ID.'),
    scene: text('Scene of a diary picture.'),
    pose: text('Pose.'),
    alias: text('Model alias.'),
    status: number('Answers an error with this status.'),
    retry_after: number('Its `Retry-After`.'),
    delay: text('Waits before the call is answered, such as `8s`.'),
    stall: text('Waits in the middle of the answer.'),
    drop: text('Closes the connection `before`, `during` or `after` the work.'),
    body: text('`cut` or `malformed`.'),
    address: text('The file addresses in the answer are `expired` or `broken`.'),
    code: text('The pose or scene fails with this `error_code`.'),
    retries: number('The first attempts fail, then the pose or scene succeeds.'),
    slow: text('The pose or scene is made later by this time.'),
    never_ends: Type.Optional(Type.Boolean({ description: 'The pose or scene never ends.' })),
    only: text('A clip has this file only: `webp` or `mp4`.'),
    times: number('Only the first N matches.'),
    every: number('Only every Nth match.'),
    share: Type.Optional(
      Type.Union([Type.String({ maxLength: 512 }), Type.Number()], {
        description: 'Only a share of the matches at random, such as `10%`; a number is a percentage.',
      }),
    ),
    for: text('Only for this time from now, such as `5m`.'),
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
    'Makes the calls or units that match fail, wait or lose their answer, as `svc fault add` does. Answers 403 unless `SVC_ENV` is `test`.',
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
  clear(): Promise<number>
}
