import {
  dateParts,
  dayMs,
  daysInMonth,
  isTimeZone,
  localDay,
  parseDate,
  parseDateTime,
  toInstant,
  weekdayOf,
} from './calendar.js'
import { type JsonObject, objectOf, textOf } from './json-object.js'
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
  /** `insightContext.observedThrough` as an instant. */
  readonly observedMs: number | undefined
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
  readonly inZone: number
  readonly asWritten: number
  readonly latest: number
  readonly earliest: number
}

/** Reads a payload whose invalid members have been taken out. */
export function readPayload(payload: JsonObject, invalidPaths: ReadonlySet<string>): Reading {
  const period = objectOf(payload, 'period')
  const context = objectOf(payload, 'insightContext')
  const viewWindow = viewWindows.find((window) => window === payload.viewWindow)
  const mode = textOf(context, 'mode')
  const start = parseDate(textOf(period, 'startDate') ?? '')
  const end = parseDate(textOf(period, 'endDate') ?? '')
  const name = textOf(period, 'timezone')
  const timezone = name !== undefined && isTimeZone(name) ? name : undefined
  const observedMs = readInstant(textOf(context, 'observedThrough'), timezone)
  const metric = metrics.find((name) => name === payload.metric)
  const facts = objectOf(payload, 'metrics')
  return {
    payload,
    metric,
    viewWindow,
    period,
    context,
    comparison: objectOf(context, 'comparison'),
    judgment: objectOf(payload, 'suppliedJudgment'),
    facts,
    mode,
    start,
    end,
    days: countDays(viewWindow, start, end),
    timezone,
    asOf: readToday(textOf(context, 'asOf'), timezone),
    observedMs,
    series:
      metric === undefined || viewWindow === undefined || viewWindow === 'day'
        ? []
        : readSeries(metric, facts, invalidPaths),
    invalidPaths,
  }
}

/** An instant in milliseconds of a written date-time; without an offset it is a wall clock time of the time zone. */
export function readInstant(text: string | undefined, timezone: string | undefined): number | undefined {
  const written = text === undefined ? undefined : parseDateTime(text)
  if (written === undefined) return undefined
  if (written.offsetMinutes !== undefined) return written.localMs - written.offsetMinutes * 60_000
  return timezone === undefined ? undefined : toInstant(written.localMs, timezone)
}

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
  const instantMs = written.localMs - written.offsetMinutes * 60_000
  const inZone = localDay(instantMs, timezone)
  const asWritten = Math.floor(written.localMs / dayMs)
  return { instantMs, inZone, asWritten, latest: Math.max(inZone, asWritten), earliest: Math.min(inZone, asWritten) }
}
