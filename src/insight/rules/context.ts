import { formatDate, hasOffsetAt, hasOffsetWithinYear, localDay, parseDateTime } from '../calendar.js'
import { describeValue, nameMember } from '../describe-value.js'
import { type JsonObject, textOf } from '../json-object.js'
import { isToday, type Reading, type Today } from '../reading.js'
import { type CheckedRule, seen, type ViolationDetails } from './rule.js'
import { checkFuture } from './series.js'
import { structural } from './structural.js'

/** Rules of `insightContext`, apart from its mode and its comparison. */
export const contextRules: readonly CheckedRule[] = [
  ...structural('context-required'),
  {
    id: 'context-as-of',
    severity: 'error',
    section: '2.2',
    sentence: 'insightContext.asOf is an ISO 8601 date-time with its offset, on an existing date.',
    good: { insightContext: { asOf: '2026-10-14T16:05:00+08:00' } },
    bad: { insightContext: { asOf: '2026-10-14T16:05:00' } },
    check: ({ context, asOf }) => (asOf === undefined ? checkDateTime(context, 'asOf') : undefined),
  },
  {
    id: 'context-observed-through-required',
    severity: 'error',
    section: '4',
    sentence: 'The mode "today_so_far" of a day needs insightContext.observedThrough.',
    good: { insightContext: { mode: 'today_so_far', observedThrough: '2026-10-14T16:05:00+08:00' } },
    bad: { insightContext: { mode: 'today_so_far' } },
    check: (reading) => {
      const { context, invalidPaths } = reading
      const path = '/insightContext/observedThrough'
      if (textOf(context, 'observedThrough') !== undefined || invalidPaths.has(path) || !isTodaySoFar(reading)) {
        return undefined
      }
      return {
        path,
        message: 'insightContext.observedThrough is missing; "today_so_far" needs the time of the latest report.',
        expected: 'an ISO 8601 date-time with its offset',
        actual: describeValue(context.observedThrough),
      }
    },
  },
  {
    id: 'context-observed-through',
    severity: 'error',
    section: '2.2',
    sentence: 'insightContext.observedThrough, when sent, is an ISO 8601 date-time on an existing date.',
    good: { insightContext: { observedThrough: '2026-10-14T16:05:00+08:00' } },
    bad: { insightContext: { observedThrough: 1791965100000 } },
    check: ({ context, observed }) => (observed === undefined ? checkDateTime(context, 'observedThrough') : undefined),
  },
  {
    id: 'context-observed-through-offset',
    severity: 'warning',
    section: '2.2',
    sentence: "insightContext.observedThrough carries its offset; without one it is read in the pet's time zone.",
    good: { insightContext: { observedThrough: '2026-10-14T16:05:00+08:00' } },
    bad: { insightContext: { observedThrough: '2026-10-14T16:05:00' } },
    check: ({ context, observed, timezone }) => {
      if (observed === undefined || observed.offsetMinutes !== undefined) return undefined
      const text = textOf(context, 'observedThrough')
      return {
        path: '/insightContext/observedThrough',
        message: `insightContext.observedThrough is "${text}" without an offset; it is read as local time of ${timezone ?? 'the pet'}.`,
        expected: 'an ISO 8601 date-time with its offset',
        actual: describeValue(text),
      }
    },
  },
  {
    id: 'context-observed-after-today',
    severity: 'warning',
    section: '4',
    sentence: 'The local date of insightContext.observedThrough is not after that of asOf.',
    good: { insightContext: { ...seen, observedThrough: '2026-10-14T15:58:00+08:00' } },
    bad: { insightContext: { ...seen, observedThrough: '2026-10-15T00:05:00+08:00' } },
    check: ({ observedMs, timezone, asOf, context }) => {
      if (observedMs === undefined || timezone === undefined || asOf === undefined) return undefined
      const day = localDay(observedMs, timezone)
      if (day <= asOf.latest) return undefined
      return {
        path: '/insightContext/observedThrough',
        message: `insightContext.observedThrough is on ${formatDate(day)}, but asOf is on ${formatDate(asOf.inZone)}: a report cannot be later than the view.`,
        expected: `${formatDate(asOf.inZone)} or before`,
        actual: describeValue(textOf(context, 'observedThrough')),
      }
    },
  },
  {
    id: 'context-observed-before-today',
    severity: 'warning',
    section: '2.2',
    sentence: 'The latest report of "today_so_far" is of the local date of asOf, not of a day before.',
    good: { insightContext: { mode: 'today_so_far', ...seen, observedThrough: '2026-10-14T15:58:00+08:00' } },
    bad: { insightContext: { mode: 'today_so_far', ...seen, observedThrough: '2026-10-13T23:40:00+08:00' } },
    windows: ['day'],
    check: (reading) => {
      const { observedMs, timezone, asOf, context } = reading
      if (observedMs === undefined || timezone === undefined || asOf === undefined) return undefined
      const day = localDay(observedMs, timezone)
      if (day >= asOf.earliest || !isTodaySoFar(reading)) return undefined
      const today = formatDate(asOf.inZone)
      return {
        path: '/insightContext/observedThrough',
        message: `insightContext.observedThrough is on ${formatDate(day)} in ${timezone}, but the day is today, ${today}: nothing was reported on it yet.`,
        expected: `a time on ${today}`,
        actual: describeValue(textOf(context, 'observedThrough')),
      }
    },
  },
  ...structural('context-fact-version'),
  {
    id: 'context-fact-version-empty',
    severity: 'warning',
    section: '2.2',
    sentence: 'insightContext.factVersion is not empty.',
    good: { insightContext: { factVersion: 'facts-5f0c2d91' } },
    bad: { insightContext: { factVersion: '' } },
    check: ({ context }) =>
      textOf(context, 'factVersion') === ''
        ? {
            path: '/insightContext/factVersion',
            message: 'insightContext.factVersion is empty, so that the archive cannot be matched with the facts.',
            expected: 'a fingerprint of the facts',
            actual: '""',
          }
        : undefined,
  },
  ...structural('context-source-snapshot', 'context-source-snapshot-complete', 'context-baseline-progress'),
  {
    id: 'context-offset-of-season',
    severity: 'warning',
    section: '2.2',
    sentence:
      'asOf and observedThrough are not written with an offset that period.timezone has only in another season; UTC and the offsets of other time zones are accepted.',
    good: {
      period: { timezone: 'Europe/London' },
      insightContext: { asOf: '2026-10-26T09:00:00+00:00' },
    },
    bad: {
      period: { timezone: 'Europe/London' },
      insightContext: { asOf: '2026-10-26T09:00:00+01:00' },
    },
    check: ({ asOf, observed, observedMs, context, timezone }) => {
      if (timezone === undefined) return undefined
      const first = checkOffset('asOf', context, timezone, asOf?.instantMs, asOf?.offsetMinutes)
      const second = checkOffset('observedThrough', context, timezone, observedMs, observed?.offsetMinutes)
      if (first === undefined) return second
      return second === undefined ? first : [first, second]
    },
  },
]

/** Checks whether a payload is about today up to now. Other rules report a mode that is wrong for its window or day. */
function isTodaySoFar({ mode, viewWindow, start, asOf }: Reading): boolean {
  if (mode !== 'today_so_far' || viewWindow === 'week' || viewWindow === 'month') return false
  return asOf === undefined || start === undefined || isToday(start, asOf)
}

function checkDateTime(context: JsonObject, name: string) {
  const text = textOf(context, name)
  if (text === undefined || parseDateTime(text) !== undefined) return undefined
  return {
    path: `/insightContext/${name}`,
    message: `insightContext.${name} is ${describeValue(text)}, but there is no such date or time of day.`,
    expected: 'an ISO 8601 date-time on an existing date, hours 00 to 23',
    actual: describeValue(text),
  }
}

/**
 * @NOTE contract: not shown which offset asOf is written with. Any is accepted; one of the pet's own zone in another season
 * is an hour off in most cases. Offset 0 is UTC in the first place.
 */
function checkOffset(
  name: string,
  context: JsonObject,
  timezone: string,
  instantMs: number | undefined,
  offset: number | undefined,
): ViolationDetails | undefined {
  if (instantMs === undefined || offset === undefined || offset === 0) return undefined
  if (hasOffsetAt(instantMs, timezone, offset) || !hasOffsetWithinYear(instantMs, timezone, offset)) return undefined
  const actual = describeValue(textOf(context, name))
  return {
    path: `/insightContext/${name}`,
    message: `insightContext.${name} is ${actual}, but ${timezone} does not have this offset at that time, only in another season.`,
    expected: `the offset of ${timezone} at that time, or UTC`,
    actual,
  }
}

/** The rule of dates that fit asOf only as it is written: accepted, but mostly a date in UTC where a local one is asked for. */
export const localDateRules: readonly CheckedRule[] = [
  {
    id: 'context-as-of-local-date',
    severity: 'warning',
    section: '2.1',
    sentence:
      "The dates of a payload fit the date of asOf in the pet's time zone; those that fit only the date asOf is written with are accepted.",
    good: {
      period: { startDate: '2026-10-14', timezone: 'America/New_York' },
      insightContext: { mode: 'today_so_far', asOf: '2026-10-15T01:00:00Z' },
    },
    bad: {
      period: { startDate: '2026-10-15', timezone: 'America/New_York' },
      insightContext: { mode: 'today_so_far', asOf: '2026-10-15T01:00:00Z' },
    },
    check: checkLocalDate,
  },
]

function checkLocalDate(reading: Reading): ViolationDetails | undefined {
  const { asOf, start, end, days, timezone } = reading
  if (asOf === undefined || asOf.inZone === asOf.asWritten) return undefined
  if (start === undefined || end === undefined || days === undefined || start > asOf.latest) return undefined
  const odd = findOdd(reading, asOf, start, end)
  if (odd === undefined) return undefined
  const [local, written] = [formatDate(asOf.inZone), formatDate(asOf.asWritten)]
  return {
    path: odd.path,
    message: `${odd.words}, but asOf is ${local} in ${timezone}; only as written it is ${written}.`,
    expected: `dates that fit ${local}`,
    actual: `dates that fit ${written}`,
  }
}

/** Finds the rules that hold on the date written in asOf and not on the pet's date; other errors hold on neither. */
function findOdd(reading: Reading, asOf: Today, start: number, end: number) {
  const { mode, viewWindow, period } = reading
  const { inZone, asWritten } = asOf
  const isOfToday = viewWindow === 'day' && (mode === 'today_so_far' || mode === 'last_night')
  if (start > inZone || (isOfToday && start === asWritten)) {
    return { path: '/period/startDate', words: `period.startDate is ${formatDate(start)}` }
  }
  if (asWritten < inZone) return undefined
  if (period.isCompleted === true && end >= inZone && end < asWritten) {
    return {
      path: '/period/isCompleted',
      words: `period.isCompleted is true and the window ends on ${formatDate(end)}`,
    }
  }
  if (viewWindow === 'day' && mode === 'selected_window' && start === inZone) {
    return { path: '/insightContext/mode', words: `insightContext.mode is "${mode}" for the day ${formatDate(start)}` }
  }
  return findLateFact(reading, asOf, start)
}

/** A number of a day that is to come in the pet's time zone. */
function findLateFact(reading: Reading, asOf: Today, start: number) {
  const { series, days } = reading
  const local = { ...reading, asOf: { ...asOf, latest: asOf.inZone } }
  for (const one of series) {
    if (one.length !== days || checkFuture(one, start, reading) !== undefined) continue
    const late = checkFuture(one, start, local)
    if (late !== undefined)
      return { path: late.path, words: `${nameMember(late.path)} is of ${formatDate(asOf.latest)}` }
  }
  return undefined
}
