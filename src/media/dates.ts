import { type Static, Type } from 'typebox'

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const month = Type.Integer({ minimum: 1, maximum: 12 })
const weekday = Type.Enum([...weekdays])

/** The date of a scene in a year. The rule applies from `from_year`, the first year that had the day. */
export const DateRule = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('fixed'),
      month,
      day: Type.Integer({ minimum: 1, maximum: 31 }),
      from_year: Type.Optional(Type.Integer()),
    },
    { additionalProperties: false, description: 'The same day of the month every year.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('nth_weekday'),
      month,
      weekday,
      nth: Type.Integer({ minimum: 1, maximum: 4, description: 'Every month has a fourth of each weekday.' }),
      plus_days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 6, description: 'Number of days after that weekday.' }),
      ),
      from_year: Type.Optional(Type.Integer()),
    },
    { additionalProperties: false, description: 'The first to fourth of a weekday in a month.' },
  ),
  Type.Object(
    { kind: Type.Literal('last_weekday'), month, weekday, from_year: Type.Optional(Type.Integer()) },
    { additionalProperties: false, description: 'The last of a weekday in a month.' },
  ),
])
export type DateRule = Static<typeof DateRule>

/**
 * Returns the date of a rule in a year, `YYYY-MM-DD`, or `undefined` before its first year. A federal holiday is on
 * its statutory day, not on the Friday or Monday on which offices close instead: the picture shows the day that
 * people celebrate.
 * Source: 5 U.S.C. 6103(a).
 */
export function dateOf(rule: DateRule, year: number): string | undefined {
  if (rule.from_year !== undefined && year < rule.from_year) return undefined
  return toDate(year, rule.month, dayOf(rule, year))
}

/** True if a date, `YYYY-MM-DD`, is a date of the rule. */
export function fallsOn(rule: DateRule, date: string): boolean {
  return dateOf(rule, Number(date.slice(0, 4))) === date
}

/**
 * Returns the meteorological season of the northern hemisphere; spring begins on March 1.
 * @NOTE contract: the pet's location is not shown; the library's holidays are those of the United States.
 */
export function northernSeason(date: string): 'spring' | 'summer' | 'autumn' | 'winter' {
  const season = Math.floor((Number(date.slice(5, 7)) % 12) / 3)
  return (['winter', 'spring', 'summer', 'autumn'] as const)[season] ?? 'winter'
}

/** True if a text is an existing date in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const [, year, monthOfYear, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  return year !== undefined && toDate(Number(year), Number(monthOfYear), Number(day)) === text
}

/** The day of the month; a value past its end is in the next month. */
function dayOf(rule: DateRule, year: number): number {
  if (rule.kind === 'fixed') return rule.day
  const wanted = weekdays.indexOf(rule.weekday)
  if (rule.kind === 'nth_weekday') {
    const first = 1 + ((wanted - weekdayOf(year, rule.month, 1) + 7) % 7)
    return first + 7 * (rule.nth - 1) + (rule.plus_days ?? 0)
  }
  const days = daysOf(year, rule.month)
  return days - ((weekdayOf(year, rule.month, days) - wanted + 7) % 7)
}

/** Day 0 of the next month is the last day of this one. */
function daysOf(year: number, monthOfYear: number): number {
  return toUtc(year, monthOfYear + 1, 0).getUTCDate()
}

/** 0 for Monday to 6 for Sunday. */
function weekdayOf(year: number, monthOfYear: number, day: number): number {
  return (toUtc(year, monthOfYear, day).getUTCDay() + 6) % 7
}

function toDate(year: number, monthOfYear: number, day: number): string {
  return toUtc(year, monthOfYear, day).toISOString().slice(0, 10)
}

function toUtc(year: number, monthOfYear: number, day: number): Date {
  const date = new Date(0)
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, monthOfYear - 1, day)
  return date
}
