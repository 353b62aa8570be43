import { Type } from 'typebox'
import { defineRoute } from './route.js'
import { HealthReport, ModelList, time } from './schemas.js'

/** Reports whether the service and its database respond. Source: gateway contract, 4.1. */
export const getHealth = defineRoute({
  method: 'GET',
  path: '/health',
  summary: 'Health report',
  description:
    'Reports whether the server and its database respond. If the database does not, the same fields come with 503 and `degraded`.',
  access: 'public',
  // @NOTE contract: an unhealthy response is not shown; load balancers need its status, so the report is sent with 503.
  replies: { 200: HealthReport, 503: HealthReport },
})

const Probe = Type.Object({ status: Type.Enum(['ok', 'unavailable']) }, { $id: 'Probe' })

/** Reports that the process runs, for a liveness probe: it must not be restarted because its database is away. */
export const getLive = defineRoute({
  method: 'GET',
  path: '/live',
  summary: 'Liveness probe',
  description:
    'Answers 200 as long as the process runs, so that a server is not restarted because its database is away.',
  access: 'public',
  replies: { 200: Probe },
})

/** Reports whether a load balancer should send calls here: the database responds, and the process is not stopping. */
export const getReady = defineRoute({
  method: 'GET',
  path: '/ready',
  summary: 'Readiness probe',
  description:
    'Answers 200 while a load balancer should send calls here: the database responds, and the server is not stopping.',
  access: 'public',
  replies: { 200: Probe, 503: Probe },
})

/** The model aliases that the calling key can use. Source: gateway contract, 4.2. */
export const listModels = defineRoute({
  method: 'GET',
  path: '/v1/models',
  summary: 'Models visible to the key',
  description: 'Lists the model aliases that the key may use, each with what it makes.',
  access: { group: 'models' },
  replies: { 200: ModelList },
})

/** This contract as an OpenAPI 3.1 document. */
export const getOpenApi = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This contract as OpenAPI 3.1',
  description: 'Returns this document, from which clients can be generated.',
  access: 'public',
  conditional: true,
  replies: { 200: Type.Object({ openapi: Type.String() }, { additionalProperties: true }) },
})

/** The structure of a health payload, for editors and validators of any language. */
export const getPayloadSchema = defineRoute({
  method: 'GET',
  path: '/health-detail-v3.schema.json',
  summary: 'JSON Schema of a health payload',
  description: 'Returns the JSON Schema 2020-12 of a payload `health-detail-v3`, whose `$id` is this address.',
  access: 'public',
  conditional: true,
  replies: { 200: Type.Object({ title: Type.String() }, { additionalProperties: true }) },
})

const ClockState = Type.Object(
  {
    now: time('Time of the service.'),
    real_time: time(),
    offset_seconds: Type.Number({ description: 'By how much the service is ahead of the real time; 0 if it is not.' }),
  },
  { $id: 'ClockState' },
)

/** Shows the clock of the service, for tests. Answers 403 unless `SVC_ENV` is `test`. */
export const getClock = defineRoute({
  method: 'GET',
  path: '/_svc/clock',
  summary: 'The clock of the service',
  description: 'Shows the time of the service, for tests. Answers 403 unless `SVC_ENV` is `test`.',
  access: 'admin',
  replies: { 200: ClockState },
})

/** Moves the clock of all processes of the service, for tests. Answers 403 unless `SVC_ENV` is `test`. */
export const moveClock = defineRoute({
  method: 'POST',
  path: '/_svc/clock',
  summary: 'Move the clock of the service, for tests',
  description:
    'Moves the clock of all processes of the service by seconds, to a time, or back to the real time. Answers 403 unless `SVC_ENV` is `test`.',
  access: 'admin',
  body: Type.Object(
    {
      advance_seconds: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3_200_000_000, description: 'Moves the clock forward by this time.' }),
      ),
      time: Type.Optional(time('Sets the clock to this time, from which it runs on.')),
      reset: Type.Optional(Type.Literal(true, { description: 'Sets the clock to the real time.' })),
    },
    { $id: 'ClockChange', description: 'Exactly one of the members.' },
  ),
  replies: { 200: ClockState },
})
