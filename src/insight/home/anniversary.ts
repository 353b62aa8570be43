import { type DateParts, dateParts, daysInMonth, parseDate } from '../calendar.js'

/** Whether a day is the anniversary of a date, and how many years after; null where the year is not known. */
export interface Anniversary {
  readonly years: number | null
}

/**
 * The anniversary that falls on `today`, a day number, of a date as `YYYY-MM-DD` or `MM-DD`; the date itself is year 0.
 * In a year without 29 February, who was born on it celebrates on the 28th. `undefined` on all other days, and before.
 */
export function findAnniversary(date: string, today: number): Anniversary | undefined {
  const on = dateParts(today)
  const [month = 0, day = 0] = date.slice(-5).split('-').map(Number)
  if (!isSameDay(month, day, on)) return undefined
  if (date.length === 5) return { years: null }
  const first = parseDate(date)
  if (first === undefined || first > today) return undefined
  return { years: on.year - dateParts(first).year }
}

function isSameDay(month: number, day: number, on: DateParts): boolean {
  return on.month === month && on.day === Math.min(day, daysInMonth(on.year, month))
}
