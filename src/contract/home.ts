import { type Static, Type } from 'typebox'
import { homeCardTypes } from '../home/card-types.js'
import { HomeFacts, localDate } from '../home/facts.js'
import { defaultLocale, locales } from '../insight/types.js'
import { species } from '../media/poses.js'
import { defineRoute } from './route.js'
import {
  LabelText,
  optional,
  PageQuery,
  PetId,
  PetIdFilter,
  pageOf,
  TaskId,
  TimeFields,
  text,
  UserId,
} from './schemas.js'

/** The fields of a card in every response. @NOTE contract: the fields of a card are not shown. */
const CardFields = {
  insight_id: text('Equal cards have the same ID.'),
  type: text('Subject of the card.'),
  title: Type.String(),
  body: Type.String(),
  priority: Type.Integer({ minimum: 1, maximum: 100, description: 'Cards with higher priority come first.' }),
}

const HomeInsightRequest = Type.Object(
  {
    user_id: UserId,
    pet_id: PetId,
    dailyDiarySnapshot: optional(
      Type.Object(
        { petProfile: optional(Type.Object({ petId: PetId })) },
        { description: '`petProfile.petId` is used if `pet_id` is missing.' },
      ),
    ),
    pet_name: optional(LabelText),
    species: optional(Type.Enum(species)),
    locale: optional(Type.Enum(locales, { default: defaultLocale, description: 'Language of the cards.' })),
    // @NOTE contract: a default is not shown; it is the current date in UTC.
    date: optional(localDate('Local date of the owner. If omitted or null: today in UTC.')),
    facts: optional(HomeFacts),
  },
  { $id: 'HomeInsightRequest' },
)

/** Cards for a pet's home page, made from facts and templates. Source: gateway contract, 4.15. */
export const generateHomeInsights = defineRoute({
  method: 'POST',
  path: '/v1/home-insights/generate',
  summary: 'Create home insight cards',
  description: 'Makes 1 to 5 cards from facts and templates. The same input gives the same cards with the same IDs.',
  // @NOTE contract: the permission is not shown; no model is called, so a key needs only the endpoint group.
  access: { group: 'home-insights' },
  body: HomeInsightRequest,
  // No other field of the snapshot is read.
  ignore: ({ pet_id }) => (pet_id == null ? [] : ['dailyDiarySnapshot']),
  replies: {
    200: Type.Object(
      {
        request_id: Type.String(),
        user_id: Type.String(),
        pet_id: Type.String(),
        locale: Type.Enum(locales),
        date: Type.String({ format: 'date' }),
        insights: Type.Array(
          Type.Object({ ...CardFields, type: Type.Enum(homeCardTypes), ...TimeFields }, { $id: 'HomeInsight' }),
          { description: '1 to 5 cards, the most important first.' },
        ),
      },
      { $id: 'HomeInsights' },
    ),
  },
})

/** @NOTE contract: the fields of a stored card are not shown. */
const StoredInsight = Type.Object(
  {
    ...CardFields,
    source: Type.Enum(['home_template', 'ai'], { description: '`ai`: created before templates were introduced.' }),
    user_id: Type.String(),
    pet_id: Type.String(),
    locale: Type.String(),
    date: Type.String({ format: 'date' }),
    ...TimeFields,
  },
  { $id: 'StoredInsight' },
)

export type StoredInsight = Static<typeof StoredInsight>

const access = { group: 'ai-insights' } as const

/** The cards of a user, newest first. Source: gateway contract, 1 and 4.15. */
export const listInsights = defineRoute({
  method: 'GET',
  path: '/v1/ai-insights',
  summary: 'Insight cards of a user',
  description: 'Lists the stored cards of a user, newest first.',
  access,
  query: Type.Object({
    user_id: UserId,
    pet_id: PetIdFilter,
    ...PageQuery,
  }),
  replies: { 200: pageOf(StoredInsight, 'StoredInsightPage') },
})

/** Source: gateway contract, 4.15. */
export const getInsight = defineRoute({
  method: 'GET',
  path: '/v1/ai-insights/{insight_id}',
  summary: 'Insight card',
  description: 'Returns a stored card.',
  access,
  params: Type.Object({ insight_id: TaskId }),
  replies: { 200: StoredInsight },
})

/** Source: gateway contract, 4.15 and 9. */
export const generateAiInsights = defineRoute({
  method: 'POST',
  path: '/v1/ai-insights/generate',
  summary: 'Create insight cards with a model: retired',
  description: 'Answers 410 to every call. `Link` names its successor.',
  access,
  // @NOTE contract: the response of a retired endpoint is not shown; 410 says that it existed and names its successor.
  retired: { since: '2026-10-07', successor: '/v1/home-insights/generate' },
  replies: {},
})
