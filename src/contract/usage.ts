import { Type } from 'typebox'
import { localDate } from '../home/facts.js'
import { defineRoute } from './route.js'
import { nullable, PageQuery, text } from './schemas.js'

export const usageGroups = ['pet', 'user', 'key', 'model', 'day'] as const

const dollars = (what: string) => Type.Number({ minimum: 0, description: `${what}, in US dollars.` })

/** Source: gateway contract, 1. */
const UsageEntry = Type.Object({
  pet_id: nullable(text('Null if the entry sums several pets; the next four fields likewise.')),
  user_id: nullable(Type.String()),
  key_id: nullable(Type.String()),
  model: nullable(text('Upstream model; empty if no model was called.')),
  day: nullable(Type.String({ format: 'date', description: 'UTC.' })),
  missing_id: Type.Boolean({ description: 'True if a caller omitted an ID, which became `temporary`.' }),
  missing: Type.Array(Type.Enum(['user_id', 'pet_id'])),
  requests: Type.Integer({ minimum: 0 }),
  units: Type.Integer({ minimum: 0, description: 'Images and clips that were delivered.' }),
  cost: dollars('Cost of the units, and of calls that delivered nothing'),
  maybe_cost: dollars('The part of `cost` for calls whose response was lost, perhaps not charged'),
})

/**
 * Reports usage and cost, for the gateway's own tooling. Paged, since each pet has an entry. Pages are large, as in reports,
 * and since each page costs as much as the whole.
 */
export const getUsage = defineRoute({
  method: 'GET',
  path: '/_svc/usage',
  summary: 'Usage and cost by pet, user, key, model or day',
  description: 'Reports delivered units, calls and cost, by page.',
  access: 'admin',
  query: Type.Object({
    by: Type.Enum(usageGroups, { default: 'pet', description: 'Grouping: highest cost first, days latest first.' }),
    missing_id: Type.Optional(
      Type.Enum(['true', 'false'], { description: 'Returns only entries with, or without, a missing ID.' }),
    ),
    from: Type.Optional(localDate('First day, UTC.')),
    to: Type.Optional(localDate('Last day, UTC.')),
    page: PageQuery.page,
    page_size: Type.Integer({ minimum: 1, maximum: 10_000, default: 1000, description: 'Entries on a page.' }),
  }),
  replies: {
    200: Type.Object(
      {
        page: Type.Integer(),
        page_size: Type.Integer(),
        total: Type.Integer({ description: 'Number of entries on all pages.' }),
        entries: Type.Array(UsageEntry),
      },
      { $id: 'Usage' },
    ),
  },
})
