import {
  dateParts,
  dayMs,
  daysInMonth,
  instantOf,
  isTimeZone,
  localDay,
  parseDate,
  parseDateTime,
  type WrittenDateTime,
  weekdayOf,
} from './calendar.js'
import { type JsonObject, objectOf, textOf } from './json-object.js'
import { type NightTimes, readNightTimes } from './night-times.js'
import type { HealthDetailPayload, PayloadView } from './schema.js'
import { readSeries, type Series } from './series.js'
import { type Metric, metrics, type ViewWindow, viewWindows } from './types.js'

/**
 * A payload as the rules read it: invalid members are missing, dates are day numbers, times are instants.
 * A value that a rule needs and does not find here was reported by another rule, or is allowed to be missing.
 */
export interface Reading {
  readonly payload: JsonObject
  readonly metric: Metric | undefined
  readonly viewWindow: ViewWindow | undefined
  readonly period: JsonObject
  readonly context: JsonObject
  readonly comparison: JsonObject
  readonly judgment: JsonObject
  readonly facts: JsonObject
  readonly mode: string | undefined
  readonly start: number | undefined
  readonly end: number | undefined
  /** Days of the window; missing when start and end do not make such a window. */
  readonly days: number | undefined
  readonly timezone: string | undefined
  readonly asOf: Today | undefined
  /** `insightContext.observedThrough` as it was written. */
  readonly observed: WrittenDateTime | undefined
  /** The same as an instant. */
  readonly observedMs: number | undefined
  /** The ends of the night of a rest day. */
  readonly night: NightTimes | undefined
  /** The daily arrays of a week or month that were sent. */
  readonly series: readonly Series[]
  /** JSON Pointers of the members that were taken out: they are invalid, not missing. */
  readonly invalidPaths: ReadonlySet<string>
}

/**
 * The date on which the page was seen. The contract speaks of the local date of asOf: the pet's time zone decides, but
 * a payload is refused only when it is wrong by the date in asOf's own offset, too.
 */
export interface Today {
  readonly instantMs: number
  /** The offset that it is written with, in minutes. */
  readonly offsetMinutes: number
  readonly inZone: number
  readonly asWritten: number
  readonly latest: number
  readonly earliest: number
}

/** A reading of a payload without errors: all that every payload must have is there. */
export interface ValidReading extends Reading {
  readonly payload: JsonObject & PayloadView
  readonly metric: Metric
  readonly viewWindow: ViewWindow
  readonly start: number
  readonly end: number
  readonly timezone: string
  readonly asOf: Today
}

/** Reads the metric and the window of a parsed payload, valid or not: `undefined` unless they are known. */
export function readPage(payload: JsonObject): Pick<Reading, 'metric' | 'viewWindow'> {
  const metric = metrics.find((name) => name === payload.metric)
  const viewWindow = viewWindows.find((window) => window === payload.viewWindow)
  return { metric, viewWindow }
}

/** Reads a parsed payload whose invalid members have been taken out; their JSON Pointers are `invalidPaths`. */
export function readPayload(payload: JsonObject, invalidPaths = noInvalidPaths): Reading {
  const facts = objectOf(payload, 'metrics')
  const period = objectOf(payload, 'period')
  const context = objectOf(payload, 'insightContext')
  const { metric, viewWindow } = readPage(payload)
  const start = parseDate(textOf(period, 'startDate') ?? '')
  const end = parseDate(textOf(period, 'endDate') ?? '')
  const name = textOf(period, 'timezone')
  const timezone = name !== undefined && isTimeZone(name) ? name : undefined
  const observed = parseDateTime(textOf(context, 'observedThrough') ?? '')
  const hasSeries = metric !== undefined && viewWindow !== undefined && viewWindow !== 'day'
  return {
    payload,
    metric,
    viewWindow,
    period,
    context,
    comparison: objectOf(context, 'comparison'),
    judgment: objectOf(payload, 'suppliedJudgment'),
    facts,
    mode: textOf(context, 'mode'),
    start,
    end,
    days: countDays(viewWindow, start, end),
    timezone,
    asOf: readToday(textOf(context, 'asOf'), timezone),
    observed,
    observedMs: observed && instantOf(observed, timezone),
    night: metric === 'rest' && viewWindow === 'day' ? readNightTimes(facts, timezone) : undefined,
    series: hasSeries ? readSeries(metric, facts, invalidPaths) : noSeries,
    invalidPaths,
  }
}

/** Reads a payload that is known to be valid. Throws a RangeError if what every payload must have is missing. */
export function readValidPayload(payload: HealthDetailPayload): ValidReading {
  const reading = readPayload(payload)
  if (!isComplete(reading)) throw new RangeError('The payload was not validated: its dates or times cannot be read.')
  return reading
}

/** Checks whether a reading of a payload without errors has what every payload must have: then its type holds. */
export function isComplete(reading: Reading): reading is ValidReading {
  const { metric, viewWindow, start, end, timezone, asOf } = reading
  if (metric === undefined || viewWindow === undefined || timezone === undefined) return false
  return start !== undefined && end !== undefined && asOf !== undefined
}

const noInvalidPaths: ReadonlySet<string> = new Set()
const noSeries: readonly Series[] = []

/** Checks whether a day is that of asOf, by one reading or the other. */
export function isToday(day: number | undefined, { inZone, asWritten }: Today): boolean {
  return day === inZone || day === asWritten
}

/** A request seen this soon after midnight may have been put together before it. */
const midnightMs = 10 * 60_000

/**
 * The dates that may have been today when the averages of a week or month were made, that of asOf in the pet's zone
 * first: what is right by one of them is right. Empty when asOf is not known.
 * @NOTE contract: not shown; the date of the latest report counts as well, when it is one of the window.
 */
export function listTodays({ asOf, observedMs, timezone, start }: Reading): readonly number[] {
  if (asOf === undefined || timezone === undefined || start === undefined) return []
  const todays = new Set([asOf.inZone, asOf.asWritten, localDay(asOf.instantMs - midnightMs, timezone)])
  const observed = observedMs === undefined ? undefined : localDay(observedMs, timezone)
  if (observed !== undefined && observed > start && observed < asOf.latest) todays.add(observed)
  return [...todays]
}

/** The number of days when start and end make a day, a week from Monday or a calendar month. */
function countDays(viewWindow: ViewWindow | undefined, start: number | undefined, end: number | undefined) {
  if (viewWindow === undefined || start === undefined || end === undefined) return undefined
  const days = end - start + 1
  if (viewWindow === 'day') return days === 1 ? days : undefined
  if (viewWindow === 'week') return days === 7 && weekdayOf(start) === 1 ? days : undefined
  if (days < 28 || days > 31) return undefined
  const { year, month, day } = dateParts(start)
  return day === 1 && days === daysInMonth(year, month) ? days : undefined
}

function readToday(text: string | undefined, timezone: string | undefined): Today | undefined {
  const written = text === undefined ? undefined : parseDateTime(text)
  if (written?.offsetMinutes === undefined || timezone === undefined) return undefined
  const { localMs, offsetMinutes } = written
  const instantMs = localMs - offsetMinutes * 60_000
  const inZone = localDay(instantMs, timezone)
  const asWritten = Math.floor(localMs / dayMs)
  const [earliest, latest] = inZone < asWritten ? [inZone, asWritten] : [asWritten, inZone]
  return { instantMs, offsetMinutes, inZone, asWritten, latest, earliest }
}
