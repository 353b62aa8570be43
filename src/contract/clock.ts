import { Type } from 'typebox'
import { defineRoute } from './route.js'

const ClockState = Type.Object(
  {
    now: Type.String({ format: 'date-time', description: 'Time of the service.' }),
    real_time: Type.String({ format: 'date-time' }),
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
      time: Type.Optional(
        Type.String({ format: 'date-time', description: 'Sets the clock to this time, from which it runs on.' }),
      ),
      reset: Type.Optional(Type.Literal(true, { description: 'Sets the clock to the real time.' })),
    },
    { $id: 'ClockChange', description: 'Exactly one of the members.' },
  ),
  replies: { 200: ClockState },
})
