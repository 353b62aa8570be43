import { offsetsKnown, timeZoneGroups } from '../generated/time-zones.js'
import type { ViewWindow } from './types.js'

/** A date-time as written: `localMs` is the wall clock read as if it were UTC; no offset written is `undefined`. */
export interface WrittenDateTime {
  readonly localMs: number
  readonly offsetMinutes: number | undefined
}

export const dayMs = 86_400_000
const minuteMs = 60_000

/**
 * The day number (days since 1970-01-01) of an existing calendar date written `YYYY-MM-DD`; `undefined` for anything
 * else.
 * Calendar arithmetic alone: no time zone is involved, and day numbers can be added and compared freely.
 */
export function parseDate(text: string): number | undefined {
  return text.length === 10 ? readDate(text) : undefined
}

/** A day number as `YYYY-MM-DD`. */
export function formatDate(day: number): string {
  const known = dateTexts.get(day)
  if (known !== undefined) return known
  const text = new Date(day * dayMs).toISOString().slice(0, 10)
  remember(dateTexts, day, text, maxDateTexts)
  return text
}

/** The texts of the days from one on, as many as the longest month has. */
export function listDates(from: number): readonly string[] {
  const known = dateLists.get(from)
  if (known !== undefined) return known
  const list = Array.from({ length: 31 }, (_, index) => formatDate(from + index))
  remember(dateLists, from, list, maxDateLists)
  return list
}

/** Year, month (1 to 12), day of the month and weekday (Monday = 1 to Sunday = 7) of a day number. */
export function dateParts(day: number) {
  const date = new Date(day * dayMs)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: weekdayOf(day),
  }
}

/** The weekday of a day number: Monday = 1 to Sunday = 7. 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

/** The number of days of a month (1 to 12). */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** The first and the last day of a window that contains a day: a week begins on its Monday, a month on its first day. */
export function windowOf(viewWindow: ViewWindow, chosen: number): { readonly start: number; readonly end: number } {
  const { year, month, day, weekday } = dateParts(chosen)
  const start = { day: chosen, week: chosen - weekday + 1, month: chosen - day + 1 }[viewWindow]
  return { start, end: start + { day: 1, week: 7, month: daysInMonth(year, month) }[viewWindow] - 1 }
}

/**
 * Reads an ISO 8601 date-time of an existing date: seconds may be missing, the fraction may have any number of digits,
 * the offset may be `Z`, `+hh`, `+hhmm`, `+hh:mm` or missing. `undefined` for anything else.
 * `Date.parse` will not do: it rolls 30 February over to 2 March and reads 24:00.
 */
export function parseDateTime(text: string): WrittenDateTime | undefined {
  const day = text.length >= 16 ? readDate(text) : undefined
  const hour = readTwoDigits(text, 11)
  const minute = readTwoDigits(text, 14)
  if (day === undefined || !isDivider(text[10]) || text[13] !== ':' || !(hour <= 23) || !(minute <= 59)) {
    return undefined
  }
  let at = 16
  let seconds = 0
  let fractionMs = 0
  if (text[at] === ':') {
    seconds = readTwoDigits(text, at + 1)
    if (!(seconds <= 59)) return undefined
    at += 3
    if (text[at] === '.' || text[at] === ',') {
      let end = at + 1
      while (isDigit(text.charCodeAt(end))) end++
      if (end === at + 1) return undefined
      fractionMs = Number(text.slice(at + 1, Math.min(end, at + 4)).padEnd(3, '0'))
      at = end
    }
  }
  const offsetMinutes = readOffset(text, at)
  if (offsetMinutes === null) return undefined
  const localMs = day * dayMs + (hour * 60 + minute) * minuteMs + seconds * 1000 + fractionMs
  return { localMs, offsetMinutes }
}

/**
 * Checks whether `name` is an IANA time zone name. Names that begin with a character other than a letter are offsets
 * (`+08:00`), which some versions of Node.js accept and others do not: they are not time zone names.
 */
export function isTimeZone(name: string): boolean {
  return findZone(name) !== undefined
}

/** Date (as a day number) and minute of the day of an instant (milliseconds since 1970 UTC) in a time zone. */
export function localDateTime(instantMs: number, timezone: string): { day: number; minuteOfDay: number } {
  const localMs = instantMs + offsetAt(instantMs, timezone)
  const day = Math.floor(localMs / dayMs)
  return { day, minuteOfDay: Math.floor((localMs - day * dayMs) / minuteMs) }
}

/** The day number of an instant in a time zone. */
export function localDay(instantMs: number, timezone: string): number {
  const group = isOffsetKnown(instantMs) ? requireZone(timezone).group : undefined
  if (group !== undefined) {
    const day = Math.floor((instantMs + group.least * minuteMs) / dayMs)
    if (day === Math.floor((instantMs + group.greatest * minuteMs) / dayMs)) return day
  }
  return Math.floor((instantMs + offsetAt(instantMs, timezone)) / dayMs)
}

/**
 * The instant at which the wall clocks of a time zone show `localMs` (read as if it were UTC). A time that comes twice
 * (clocks set back) is the first one; a time that is skipped (clocks set forward) is read with the offset before.
 */
export function toInstant(localMs: number, timezone: string): number {
  const before = localMs - offsetAt(localMs - dayMs, timezone)
  const after = localMs - offsetAt(localMs + dayMs, timezone)
  if (before === after || before + offsetAt(before, timezone) === localMs) return before
  return after + offsetAt(after, timezone) === localMs ? after : before
}

/** The instant of a written date-time; without an offset it is a wall clock time of the time zone. */
export function instantOf({ localMs, offsetMinutes }: WrittenDateTime, timezone: string | undefined) {
  if (offsetMinutes !== undefined) return localMs - offsetMinutes * minuteMs
  return timezone === undefined ? undefined : toInstant(localMs, timezone)
}

/** True if the clocks of a time zone show the instant with this offset (minutes east of UTC). */
export function hasOffsetAt(instantMs: number, timezone: string, offsetMinutes: number): boolean {
  return offsetAt(instantMs, timezone) === offsetMinutes * minuteMs
}

/** True if a time zone has this offset at some time within a year of an instant; clocks keep an offset for a month at least. */
export function hasOffsetWithinYear(instantMs: number, timezone: string, offsetMinutes: number): boolean {
  const { group } = requireZone(timezone)
  if (group !== undefined && isOffsetKnown(instantMs)) {
    if (offsetMinutes < group.least || offsetMinutes > group.greatest) return false
  }
  const months = Array.from({ length: 25 }, (_, index) => index - 12)
  return months.some((month) => hasOffsetAt(instantMs + month * 30 * dayMs, timezone, offsetMinutes))
}

interface Zone {
  /** The least and the greatest offset in minutes, in the years of `offsetsKnown`, where they are known. */
  readonly group: { readonly least: number; readonly greatest: number } | undefined
  /** Made when an offset is first asked for: the first one of a process costs about 10 ms. */
  formatter: Intl.DateTimeFormat | undefined
  /** Offset of a whole UTC day in milliseconds; `undefined` for a day on which it changes. */
  readonly byDay: Map<number, number | undefined>
  /** Offset of a quarter of an hour, on days on which it changes; every change of clocks falls on such a quarter. */
  readonly byQuarter: Map<number, number>
}

const maxDateTexts = 4096
const maxDateLists = 256
const maxZones = 1024
const maxOffsets = 2048
const quarterMs = 15 * minuteMs
const dateTexts = new Map<number, string>()
const dateLists = new Map<number, readonly string[]>()
const zones = new Map<string, Zone>()

/** Offset from UTC in milliseconds, east positive. Throws a RangeError if `timezone` is not a time zone. */
function offsetAt(instantMs: number, timezone: string): number {
  const zone = requireZone(timezone)
  if (zone.group !== undefined && zone.group.least === zone.group.greatest && isOffsetKnown(instantMs)) {
    return zone.group.least * minuteMs
  }
  const day = Math.floor(instantMs / dayMs)
  let offset = zone.byDay.get(day)
  if (offset !== undefined) return offset
  if (!zone.byDay.has(day)) {
    const first = readZone(zone, timezone, day * dayMs)
    offset = first === readZone(zone, timezone, (day + 1) * dayMs) ? first : undefined
    remember(zone.byDay, day, offset)
    if (offset !== undefined) return offset
  }
  const quarter = Math.floor(instantMs / quarterMs)
  const known = zone.byQuarter.get(quarter)
  if (known !== undefined) return known
  const exact = readZone(zone, timezone, quarter * quarterMs)
  remember(zone.byQuarter, quarter, exact)
  return exact
}

/** Asks Intl. Before 1970 the offset of 1970 is taken: no pet's records are that old. */
function readZone(zone: Zone, timezone: string, instantMs: number): number {
  zone.formatter ??= createFormatter(timezone)
  const match = /([+-])(\d+):?(\d*):?(\d*)$/.exec(zone.formatter?.format(Math.max(instantMs, 0)) ?? '')
  if (match === null) return 0
  const [, sign, hours, minutes, seconds] = match
  const offset = (Number(hours) * 60 + Number(minutes)) * minuteMs + Number(seconds) * 1000
  return sign === '-' ? -offset : offset
}

function createFormatter(timezone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
  } catch {
    // The constructor is the one test of a name that every version of Node has; it answers by throwing.
    return undefined
  }
}

function requireZone(name: string): Zone {
  const zone = findZone(name)
  if (zone === undefined) throw new RangeError(`"${name}" is not a time zone.`)
  return zone
}

function isOffsetKnown(instantMs: number): boolean {
  return instantMs >= offsetsKnown.fromMs && instantMs < offsetsKnown.untilMs
}

function findZone(name: string): Zone | undefined {
  const known = zones.get(name)
  if (known !== undefined) return known
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return undefined
  const group = timeZoneGroups.find(({ names }) => names.includes(` ${name} `))
  const formatter = group === undefined ? createFormatter(name) : undefined
  if (group === undefined && formatter === undefined) return undefined
  const zone: Zone = { group, formatter, byDay: new Map(), byQuarter: new Map() }
  remember(zones, name, zone, maxZones)
  return zone
}

/** Adds to a cache, which is cleared when it is full, so that its size is limited for any input. */
function remember<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value, max = maxOffsets): void {
  if (cache.size >= max) cache.clear()
  cache.set(key, value)
}

/** The day number of the `YYYY-MM-DD` that `text` begins with. */
function readDate(text: string): number | undefined {
  const century = readTwoDigits(text, 0)
  const yearOfCentury = readTwoDigits(text, 2)
  const month = readTwoDigits(text, 5)
  const day = readTwoDigits(text, 8)
  if (text[4] !== '-' || text[7] !== '-' || !(month >= 1 && month <= 12)) return undefined
  const year = century * 100 + yearOfCentury
  return year >= 0 && day >= 1 && day <= daysInMonth(year, month) ? toDayNumber(year, month, day) : undefined
}

/**
 * Returns minutes east of UTC written from `at` to the end; `undefined` if nothing is written, `null` if it is not an
 * offset.
 */
function readOffset(text: string, at: number): number | undefined | null {
  if (at === text.length) return undefined
  if (text[at] === 'Z' || text[at] === 'z') return at + 1 === text.length ? 0 : null
  if (text[at] !== '+' && text[at] !== '-') return null
  const hours = readTwoDigits(text, at + 1)
  const minutesAt = text[at + 3] === ':' ? at + 4 : at + 3
  const minutes = at + 3 === text.length ? 0 : readTwoDigits(text, minutesAt)
  const isWhole = at + 3 === text.length || minutesAt + 2 === text.length
  if (!(hours <= 23) || !(minutes <= 59) || !isWhole) return null
  return text[at] === '-' ? -(hours * 60 + minutes) : hours * 60 + minutes
}

/** Days since 1970-01-01 of a proleptic Gregorian date; years are counted from 1 March so that leap days come last. */
function toDayNumber(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + dayOfYear - 719_468
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

/**
 * Returns the number written in two digits at `at`; NaN if there is no such number, so that every comparison with it
 * fails.
 */
function readTwoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at)
  const ones = text.charCodeAt(at + 1)
  return isDigit(tens) && isDigit(ones) ? (tens - 48) * 10 + ones - 48 : Number.NaN
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Checks whether a character may separate date and time; RFC 3339 allows a space. */
function isDivider(character: string | undefined): boolean {
  return character === 'T' || character === 't' || character === ' '
}
