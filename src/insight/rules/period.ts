import { dateParts, formatDate, isTimeZone, parseDate, windowOf } from '../calendar.js'
import { countWords, describeValue } from '../describe-value.js'
import { numberOf, textOf } from '../json-object.js'
import type { Reading } from '../reading.js'
import type { ViewWindow } from '../types.js'
import { sayWholeWindow } from './likely-mistakes.js'
import { type CheckedRule, nightMetrics, periodWindows, seen, type ViolationDetails } from './rule.js'
import { structural } from './structural.js'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const nameDay = (day: number) => `${formatDate(day)}, a ${weekdays[dateParts(day).weekday - 1]}`

/** Rules of `period`. */
export const periodRules: readonly CheckedRule[] = [
  ...structural('period-object'),
  {
    id: 'period-date',
    severity: 'error',
    section: '2.1',
    sentence: 'startDate and endDate are existing dates written YYYY-MM-DD.',
    good: { period: { startDate: '2026-02-28' } },
    bad: { period: { startDate: '2026-02-30' } },
    check: ({ period, start, end }) => {
      if (start !== undefined && end !== undefined) return undefined
      return ['startDate', 'endDate'].flatMap((name) => {
        const text = textOf(period, name)
        if (text === undefined || parseDate(text) !== undefined) return []
        return {
          path: `/period/${name}`,
          message: `period.${name} is "${text}", but the calendar has no such day.`,
          expected: 'an existing date written YYYY-MM-DD',
          actual: `"${text}"`,
        }
      })
    },
  },
  {
    id: 'period-timezone',
    severity: 'error',
    section: '2.1',
    sentence: 'period.timezone is an IANA time zone name; an offset such as "+08:00" is not.',
    good: { period: { timezone: 'Asia/Kathmandu' } },
    bad: { period: { timezone: 'GMT+8' } },
    check: ({ period }) => {
      const name = textOf(period, 'timezone')
      if (name === undefined || isTimeZone(name)) return undefined
      const actual = describeValue(name)
      return {
        path: '/period/timezone',
        message: `period.timezone is ${actual}, which is not an IANA time zone name such as "Asia/Shanghai".`,
        expected: 'an IANA time zone name',
        actual,
      }
    },
  },
  {
    id: 'period-timezone-abbreviation',
    severity: 'warning',
    section: '2.1',
    sentence:
      'period.timezone is written Area/City; abbreviations such as "CST" mean several time zones, or ignore daylight saving time.',
    good: { period: { timezone: 'Asia/Shanghai' } },
    bad: { period: { timezone: 'CST' } },
    check: ({ timezone }) => {
      if (timezone === undefined || timezone.length > 4 || !isAbbreviation(timezone)) return undefined
      return {
        path: '/period/timezone',
        message: `period.timezone is "${timezone}", an abbreviation; write Area/City, such as "Asia/Shanghai".`,
        expected: 'an IANA time zone name written Area/City',
        actual: `"${timezone}"`,
      }
    },
  },
  ...structural('period-is-completed'),
  {
    id: 'period-day-is-one-day',
    severity: 'error',
    section: '4',
    sentence: 'A day window starts and ends on the same day.',
    good: { viewWindow: 'day', period: { startDate: '2026-10-14', endDate: '2026-10-14' } },
    bad: { viewWindow: 'day', period: { startDate: '2026-10-14', endDate: '2026-10-15' } },
    windows: ['day'],
    check: ({ start, end, days, viewWindow }) => {
      if (start === undefined || end === undefined || days !== undefined || viewWindow !== 'day') return undefined
      const [first, last] = [formatDate(start), formatDate(end)]
      return {
        path: '/period/endDate',
        message: `period is ${first} to ${last}, but a day window starts and ends on the same day: both dates are ${first}, or both ${last}${nameWindow(start, end)}.`,
        expected: first,
        actual: last,
      }
    },
  },
  {
    id: 'period-week-monday-to-sunday',
    severity: 'error',
    section: '4',
    sentence: 'A week window is seven days from Monday to Sunday.',
    good: { viewWindow: 'week', period: { startDate: '2026-10-12', endDate: '2026-10-18' } },
    bad: { viewWindow: 'week', period: { startDate: '2026-10-13', endDate: '2026-10-19' } },
    windows: ['week'],
    check: (reading) => checkWindow(reading, 'a week runs from Monday to the Sunday after it', 'week'),
  },
  {
    id: 'period-month-is-natural-month',
    severity: 'error',
    section: '4',
    sentence: 'A month window is one whole calendar month, from its first to its last day.',
    good: { viewWindow: 'month', period: { startDate: '2026-02-01', endDate: '2026-02-28' } },
    bad: { viewWindow: 'month', period: { startDate: '2026-02-01', endDate: '2026-03-01' } },
    windows: ['month'],
    check: (reading) => checkWindow(reading, 'a month runs from its first to its last day', 'month'),
  },
  {
    id: 'period-not-in-future',
    severity: 'error',
    section: '4',
    sentence:
      'The window has begun by the local date of asOf; by the date it is written with is accepted, with a warning.',
    good: { period: { startDate: '2026-10-14' }, insightContext: seen },
    bad: { period: { startDate: '2026-10-15' }, insightContext: seen },
    check: (reading) => {
      const { start, days, asOf } = reading
      if (start === undefined || days === undefined || asOf === undefined || start <= asOf.latest) return undefined
      return {
        path: '/period/startDate',
        message: `period.startDate is ${formatDate(start)}, but asOf is on ${formatDate(asOf.latest)}: the window has not begun.`,
        expected: `${formatDate(asOf.latest)} or before`,
        actual: formatDate(start),
      }
    },
  },
  {
    id: 'period-completed-before-today',
    severity: 'error',
    section: '2.2',
    sentence:
      'A window with isCompleted true ends before the local date of asOf; one that contains today is not completed. The date asOf is written with is accepted, with a warning.',
    good: { period: { endDate: '2026-10-13', isCompleted: true }, insightContext: seen },
    bad: { period: { endDate: '2026-10-14', isCompleted: true }, insightContext: seen },
    check: ({ period, start, end, days, asOf }) => {
      if (period.isCompleted !== true || days === undefined || asOf === undefined) return undefined
      if (start === undefined || end === undefined || end < asOf.latest || start > asOf.latest) return undefined
      return {
        path: '/period/isCompleted',
        message: `period.isCompleted is true, but the window ends on ${formatDate(end)} and asOf is on ${formatDate(asOf.latest)}: a window that contains today is not completed.`,
        expected: 'false',
        actual: 'true',
      }
    },
  },
  {
    id: 'period-still-open-after-end',
    severity: 'warning',
    section: '2.1',
    sentence: 'A window that ended before the local date of asOf has isCompleted true.',
    good: { period: { endDate: '2026-10-13', isCompleted: true }, insightContext: seen },
    bad: { period: { endDate: '2026-10-13', isCompleted: false }, insightContext: seen },
    check: ({ period, mode, end, days, asOf }) => {
      if (period.isCompleted !== false || mode !== 'selected_window' || days === undefined) return undefined
      if (asOf === undefined || end === undefined || end >= asOf.earliest) return undefined
      return {
        path: '/period/isCompleted',
        message: `period.isCompleted is false, although the window ended on ${formatDate(end)}, before the date of asOf.`,
        expected: 'true',
        actual: 'false',
      }
    },
  },
  ...structural('period-nights-required', 'period-nights-integer'),
  {
    id: 'period-nights-within-window',
    severity: 'error',
    section: '4',
    sentence:
      'validNights is at most elapsedNights, elapsedNights at most the nights of the window, and neither is negative.',
    good: { viewWindow: 'week', period: { elapsedNights: 7, validNights: 6 } },
    bad: { viewWindow: 'week', period: { elapsedNights: 7, validNights: 8 } },
    metrics: nightMetrics,
    windows: periodWindows,
    check: (reading) => {
      const elapsed = checkNights(reading, 'elapsedNights', reading.days, 'the window has')
      const most = numberOf(reading.period, 'elapsedNights')
      const valid =
        elapsed === undefined && most !== undefined
          ? checkNights(reading, 'validNights', most, 'elapsedNights is')
          : checkNights(reading, 'validNights', reading.days, 'the window has')
      return elapsed ?? valid
    },
  },
  {
    id: 'period-nights-after-today',
    severity: 'warning',
    section: '4',
    sentence: 'elapsedNights and validNights count no night after the local date of asOf.',
    good: { period: { startDate: '2026-10-12', elapsedNights: 3 }, insightContext: seen },
    bad: { period: { startDate: '2026-10-12', elapsedNights: 4 }, insightContext: seen },
    metrics: nightMetrics,
    windows: periodWindows,
    check: ({ period, start, days, asOf }) => {
      if (start === undefined || days === undefined || asOf === undefined || start > asOf.latest) return undefined
      const begun = Math.min(days, asOf.latest - start + 1)
      const name = ['elapsedNights', 'validNights'].find((member) => (numberOf(period, member) ?? 0) > begun)
      const nights = name === undefined ? undefined : numberOf(period, name)
      if (nights === undefined || nights > days) return undefined
      return {
        path: `/period/${name}`,
        message: `period.${name} is ${nights}, but the window has only ${countWords(begun, 'night')} up to the date of asOf.${sayWholeWindow(nights, days)}`,
        expected: `at most ${begun}`,
        actual: String(nights),
      }
    },
  },
]

/** Short names of exactly one time zone, with its daylight saving time. */
const clearNames = new Set(['UTC', 'UCT', 'GMT', 'PRC', 'ROC', 'ROK', 'WET', 'CET', 'MET', 'EET'])

function isAbbreviation(timezone: string): boolean {
  return /^[A-Z]{3,4}$/.test(timezone) && !clearNames.has(timezone)
}

/** Compares start and end with the window that they mostly cover. */
function checkWindow({ start, end, days }: Reading, reason: string, window: ViewWindow): ViolationDetails | undefined {
  if (start === undefined || end === undefined || days !== undefined) return undefined
  const covered = findMostCovered(start, end, window)
  const name = covered.start === start ? 'endDate' : 'startDate'
  const expected = `${formatDate(covered.start)} to ${formatDate(covered.end)}`
  return {
    path: `/period/${name}`,
    message: `period is ${nameDay(start)}, to ${nameDay(end)}, but ${reason}: ${expected} was expected.`,
    expected,
    actual: `${formatDate(start)} to ${formatDate(end)}`,
  }
}

/** The one of the windows at both ends that shares more days with them; the first one when they do not differ in that. */
function findMostCovered(start: number, end: number, window: ViewWindow) {
  const [one, other] = [windowOf(window, start), windowOf(window, end)]
  const shared = (span: typeof one) => Math.min(span.end, end) - Math.max(span.start, start)
  return end > start && shared(other) > shared(one) ? other : one
}

/** The message when the dates sent for a day are those of a whole week or month. */
function nameWindow(start: number, end: number): string {
  const name = periodWindows.find((window) => {
    const span = windowOf(window, start)
    return span.start === start && span.end === end
  })
  return name === undefined ? '' : `, or viewWindow is "${name}"`
}

function checkNights(
  { period }: Reading,
  name: string,
  most: number | undefined,
  limit: string,
): ViolationDetails | undefined {
  const nights = numberOf(period, name)
  if (nights === undefined || (nights >= 0 && (most === undefined || nights <= most))) return undefined
  const expected = most === undefined ? '0 or more' : `0 to ${most}`
  return {
    path: `/period/${name}`,
    message:
      nights < 0
        ? `period.${name} is ${nights}, which is negative.`
        : `period.${name} is ${nights}, but ${limit} ${most}.`,
    expected,
    actual: String(nights),
  }
}
