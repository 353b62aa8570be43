import { Type } from 'typebox'
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
