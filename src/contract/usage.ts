import { Type } from 'typebox'
import { localDate } from '../insight/home/facts.js'
import { defineRoute } from './route.js'
import { nullable, PageQuery } from './schemas.js'

export const usageGroups = ['pet', 'user', 'key', 'model', 'day'] as const

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

/**
 * What pets used and what it cost; the gateway's own tooling. Paged: there is an entry for each pet. A page is large, as
 * reports are, and as no page costs less than all.
 */
export const getUsage = defineRoute({
  method: 'GET',
  path: '/_svc/usage',
  summary: 'Usage and cost by pet, user, key, model or day',
  access: 'admin',
  query: Type.Object({
    by: Type.Enum(usageGroups, { default: 'pet', description: 'What to sum by: the dearest first, of days the last.' }),
    missing_id: Type.Optional(
      Type.Enum(['true', 'false'], { description: 'Only what has, or has not, a missing ID.' }),
    ),
    from: Type.Optional(localDate('First day, UTC.')),
    to: Type.Optional(localDate('Last day, UTC.')),
    page: PageQuery.page,
    page_size: Type.Integer({ minimum: 1, maximum: 10_000, default: 1000 }),
  }),
  replies: {
    200: Type.Object(
      {
        page: Type.Integer(),
        page_size: Type.Integer(),
        total: Type.Integer({ description: 'Of all pages.' }),
        entries: Type.Array(UsageEntry),
      },
      { $id: 'Usage' },
    ),
  },
})
