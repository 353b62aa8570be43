import { instantOf, localDateTime, parseDateTime } from './calendar.js'
import { type JsonObject, objectOf } from './json-object.js'

/** A night lasts from 22:00 to 08:00, in minutes of the day. Source: health detail contract, 2.4. */
export const nightHours = { start: 22 * 60, end: 8 * 60 } as const

/** The ends of the night of a rest day; an end that was not sent is missing. */
export interface NightTimes {
  readonly startAt: NightTime | undefined
  readonly endAt: NightTime | undefined
}

/** One end of a night. */
export interface NightTime {
  /** As sent: an ISO 8601 date-time, or milliseconds since 1970. */
  readonly value: string | number
  /** `undefined` where no such time exists. */
  readonly instantMs: number | undefined
  /** False for a date-time that was written without its offset. */
  readonly hasOffset: boolean
  /** Day number and minute of the day in the pet's time zone, where that is known. */
  readonly local: { readonly day: number; readonly minuteOfDay: number } | undefined
}

/** Reads the ends of the night that the facts of a rest day hold. */
export function readNightTimes(facts: JsonObject, timezone: string | undefined): NightTimes {
  const { startAt, endAt } = objectOf(facts, 'night')
  return { startAt: readNightTime(startAt, timezone), endAt: readNightTime(endAt, timezone) }
}

function readNightTime(value: unknown, timezone: string | undefined): NightTime | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const written = typeof value === 'string' ? parseDateTime(value) : undefined
  const instantMs = typeof value === 'number' ? value : written && instantOf(written, timezone)
  return {
    value,
    instantMs,
    hasOffset: typeof value === 'number' || written?.offsetMinutes !== undefined,
    local: instantMs === undefined || timezone === undefined ? undefined : localDateTime(instantMs, timezone),
  }
}
