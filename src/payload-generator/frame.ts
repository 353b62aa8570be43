import { formatDate, localDateTime, parseDate, parseDateTime, toInstant, windowOf } from '../insight/calendar.js'
import type { Metric, ViewWindow } from '../insight/types.js'
import type { VitalMetric } from '../insight/vitals.js'

export type Mode = 'today_so_far' | 'last_night' | 'selected_window'

export interface FrameOptions {
  readonly metric: Metric
  readonly viewWindow: ViewWindow
  readonly mode: Mode
  /** A day of the window. */
  readonly date: string
  readonly timezone: string
  /** Local view time `YYYY-MM-DDTHH:mm`, or a whole date-time with offset. */
  readonly asOf?: string | undefined
  /** Local view time `HH:mm`, on the day itself for the modes of today, else on the day after the window. */
  readonly time: string
}

/** The window of a payload and the time at which it is seen. Days are day numbers. */
export interface PayloadFrame extends Pick<FrameOptions, 'metric' | 'viewWindow' | 'mode' | 'timezone'> {
  readonly asOf: string
  readonly asOfMs: number
  readonly start: number
  readonly end: number
  readonly today: number
  /** Days of the window, days of it before today, nights of it up to today. */
  readonly days: number
  readonly finished: number
  readonly elapsed: number
}

/** Places a window on the calendar: a week begins on its Monday, a month on its first day. Throws for a date that does not exist. */
export function createFrame({ date, asOf: seenAt, time, ...page }: FrameOptions): PayloadFrame {
  const { mode, timezone, viewWindow } = page
  const { start, end } = windowOf(viewWindow, toDay(date))
  const days = end - start + 1
  const local = seenAt ?? `${formatDate(mode === 'selected_window' ? end + 1 : end)}T${time}`
  const asOf = local.length > 16 ? local : writeLocalTime(local.slice(0, 10), local.slice(11), timezone)
  const written = parseDateTime(asOf)
  const asOfMs = (written?.localMs ?? Number.NaN) - (written?.offsetMinutes ?? 0) * 60_000
  const today = localDateTime(asOfMs, timezone).day
  const finished = Math.max(0, Math.min(days, today - start))
  const elapsed = Math.max(0, Math.min(days, today - start + 1))
  return { ...page, asOf, asOfMs, start, end, today, days, finished, elapsed }
}

/** Writes a minute of the day as `HH:mm`. */
export function formatTime(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Writes a wall clock time of a time zone as ISO 8601 with the offset in force. */
export function writeLocalTime(date: string, time: string, timezone: string): string {
  const localMs = parseDateTime(`${date}T${time}:00`)?.localMs ?? Number.NaN
  const offsetMinutes = Math.round((localMs - toInstant(localMs, timezone)) / 60_000)
  return `${date}T${time}:00${offsetMinutes < 0 ? '-' : '+'}${formatTime(Math.abs(offsetMinutes))}`
}

/** Returns the day number of a date. Throws a RangeError if it does not exist. */
export function toDay(date: string): number {
  const day = parseDate(date)
  if (day === undefined) throw new RangeError(`${date} is not a date.`)
  return day
}

/** A night as a device recorded it, in minutes and times. */
export interface NightRecord {
  readonly deep: number
  readonly light: number
  readonly wakes: number
  readonly activity: number
  readonly longestRest: number
  readonly worn: number
}

/** An average and the number of its samples. */
export interface Sampled {
  readonly value: number
  readonly sampleCount: number
}

/** The records of a pet, by day number: `undefined` for a day without any. */
export interface Records {
  readonly activity: (day: number) => { readonly minutes: number; readonly steps: number } | undefined
  readonly goalMinutes: number | undefined
  /** The night that ends on the day. */
  readonly night: (day: number) => NightRecord | undefined
  /** Rest in each hour of the day, in minutes. */
  readonly hourlyRest: (day: number) => readonly number[] | undefined
  readonly dayRestMinutes: (day: number) => number | undefined
  readonly vital: (
    metric: VitalMetric,
    day: number,
  ) => { readonly night: Sampled; readonly allDay: Sampled } | undefined
  readonly bark: (
    day: number,
  ) => { readonly seconds: number; readonly events: number; readonly longestSeconds: number } | undefined
}
