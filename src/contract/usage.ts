import { Type } from 'typebox'
import { usageGroups } from '../media/usage.js'
import { defineRoute } from './route.js'
import { nullable } from './schemas.js'

const dollars = (what: string) => Type.Number({ minimum: 0, description: `${what}, in US dollars.` })

/** Source: gateway contract, 1. */
const UsageEntry = Type.Object({
  pet_id: nullable(
    Type.String({ description: 'Null where entries of several pets are summed; so with the next four.' }),
  ),
  user_id: nullable(Type.String()),
  key_id: nullable(Type.String()),
  model: nullable(Type.String({ description: 'Upstream model; empty where none was called.' })),
  day: nullable(Type.String({ format: 'date', description: 'UTC.' })),
  missing_id: Type.Boolean({ description: 'Whether `temporary` stands for an ID that a caller left out.' }),
  missing: Type.Array(Type.Enum(['user_id', 'pet_id'])),
  requests: Type.Integer({ minimum: 0 }),
  units: Type.Integer({ minimum: 0, description: 'Images and clips that were delivered.' }),
  cost: dollars('What was paid for them, and for calls that delivered nothing'),
  maybe_cost: dollars('The part of `cost` of calls whose answer was lost: perhaps not paid'),
})

/** What pets used and what it cost; the gateway's own tooling. */
export const getUsage = defineRoute({
  method: 'GET',
  path: '/_svc/usage',
  summary: 'Usage and cost by pet, user, key, model or day',
  access: 'admin',
  query: Type.Object({
    by: Type.Optional(Type.Enum(usageGroups, { description: 'Left out: one entry for each combination.' })),
    missing_id: Type.Optional(
      Type.Enum(['true', 'false'], { description: 'Only entries with, or without, a missing ID.' }),
    ),
  }),
  replies: { 200: Type.Object({ entries: Type.Array(UsageEntry) }, { $id: 'Usage' }) },
})
