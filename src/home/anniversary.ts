import { dateParts, daysInMonth, parseDate } from '../insight/calendar.js'

/**
 * Returns the anniversary of a date (`YYYY-MM-DD` or `MM-DD`) on the day number `today`, if there is one; the date
 * itself is year 0. In a year without 29 February, its anniversary is on the 28th. Undefined before the date.
 * `years` is null if the year of the date is unknown.
 */
export function findAnniversary(date: string, today: number): { readonly years: number | null } | undefined {
  const on = dateParts(today)
  const [month = 0, day = 0] = date.slice(-5).split('-').map(Number)
  if (on.month !== month || on.day !== Math.min(day, daysInMonth(on.year, month))) return undefined
  if (date.length === 5) return { years: null }
  const first = parseDate(date)
  if (first === undefined || first > today) return undefined
  return { years: on.year - dateParts(first).year }
}
