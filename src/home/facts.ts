import { type Static, Type } from 'typebox'

/** null is the same as an absent member. */
const optional = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
const minutes = (description: string) => optional(Type.Number({ minimum: 0, maximum: 1440, description }))

const dateExpected = 'a date of the calendar as YYYY-MM-DD'
const monthDay = '^((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))$'
const birthday = { 'x-expected': `${dateExpected}, or as MM-DD if the year is not known` }

/** A calendar date. */
export const localDate = (description: string) =>
  Type.String({ format: 'date', 'x-expected': dateExpected, description })

/**
 * Facts about a pet's day. All are optional; a missing fact gets no card.
 * @NOTE contract: the facts of home cards are not shown.
 */
export const HomeFacts = Type.Object(
  {
    activity_minutes: minutes('Active minutes of the day so far.'),
    activity_goal_minutes: minutes('The goal for the day; 0 means no goal.'),
    streak_days: optional(
      Type.Integer({
        minimum: 0,
        maximum: 36_500,
        description: 'Days in a row on which the activity goal was reached; a card from 2 on.',
      }),
    ),
    rest_minutes: minutes('Rest of the night that ended today; 0 means unknown.'),
    bark_count: optional(
      Type.Integer({ minimum: 0, maximum: 100_000, description: 'Barks of the day so far. Cats get no card.' }),
    ),
    bark_minutes: minutes('Minutes of barking of the day so far.'),
    weather: optional(
      Type.String({
        maxLength: 128,
        description:
          'In English: `storm`, `snow`, `rain`, `wind`, `hot`, `cold`, `mild`, `sunny`, `clear`, `cloudy` and their ' +
          'usual variants. Other words get no card.',
      }),
    ),
    temperature_celsius: optional(
      Type.Number({ minimum: -90, maximum: 60, description: '28 and above is hot, 3 and below cold.' }),
    ),
    diary_ready: optional(
      Type.Boolean({ description: 'True if the diary of the day can be read. Default: true if `diary_id` is set.' }),
    ),
    diary_id: optional(Type.String({ minLength: 1, maxLength: 128 })),
    birthday: Type.Optional(
      Type.Union([
        Type.String({ format: 'date', ...birthday }),
        Type.String({ pattern: monthDay, ...birthday }),
        Type.Null(),
      ]),
    ),
    adoption_date: optional(localDate('The day on which the pet came home; its anniversary gets a card.')),
  },
  { $id: 'HomeFacts' },
)

export type HomeFacts = Static<typeof HomeFacts>
