import { formatDate, localDay } from '../calendar.js'
import { textOf } from '../json-object.js'
import { isToday, type Reading } from '../reading.js'
import { type CheckedRule, periodWindows, seen, type ViolationDetails, vitalMetrics } from './rule.js'
import { structural } from './structural.js'

const path = '/insightContext/mode'

/** Rules of `insightContext.mode`: what fits metric, window and dates. */
export const modeRules: readonly CheckedRule[] = [
  ...structural('context-mode'),
  {
    id: 'mode-fits-window',
    severity: 'error',
    section: '4',
    sentence: 'A week or month has the mode "selected_window", also while it is in progress.',
    good: { viewWindow: 'week', insightContext: { mode: 'selected_window' } },
    bad: { viewWindow: 'week', insightContext: { mode: 'today_so_far' } },
    windows: periodWindows,
    check: ({ mode, viewWindow }) =>
      mode === undefined || mode === 'selected_window'
        ? undefined
        : {
            path,
            message: `insightContext.mode is "${mode}", but a ${viewWindow} has the mode "selected_window", also while it is in progress.`,
            expected: '"selected_window"',
            actual: `"${mode}"`,
          },
  },
  {
    id: 'mode-last-night-rest-only',
    severity: 'error',
    section: '4',
    sentence: 'Only rest has the mode "last_night".',
    good: { metric: 'rest', insightContext: { mode: 'last_night' } },
    bad: { metric: 'hr', insightContext: { mode: 'last_night' } },
    windows: ['day'],
    check: ({ mode, metric }) =>
      mode !== 'last_night' || metric === undefined || metric === 'rest'
        ? undefined
        : {
            path,
            message: `insightContext.mode is "last_night", but only rest has it; for ${metric} the day of today is "today_so_far".`,
            expected: '"today_so_far" or "selected_window"',
            actual: '"last_night"',
          },
  },
  {
    id: 'mode-today-is-today',
    severity: 'error',
    section: '4',
    sentence:
      'The modes "today_so_far" and "last_night" are for the local date of asOf; the date it is written with is accepted, with a warning.',
    good: { period: { startDate: '2026-10-14' }, insightContext: { mode: 'today_so_far', ...seen } },
    bad: { period: { startDate: '2026-10-12' }, insightContext: { mode: 'today_so_far', ...seen } },
    windows: ['day'],
    check: (reading) => {
      const { mode } = reading
      const other = findOtherDay(reading)
      if (other === undefined || isReportDay(reading)) return undefined
      const { start, asOf } = other
      return {
        path,
        message: `insightContext.mode is "${mode}", but the day is ${formatDate(start)} and asOf is on ${formatDate(asOf.inZone)} in ${reading.timezone}: a past day is "selected_window".`,
        expected: '"selected_window"',
        actual: `"${mode}"`,
      }
    },
  },
  {
    id: 'mode-today-by-report-time',
    severity: 'warning',
    section: '2.2',
    sentence: 'The day of "today_so_far" is the local date of asOf, not only that of observedThrough.',
    good: {
      period: { startDate: '2026-10-14' },
      insightContext: {
        mode: 'today_so_far',
        asOf: '2026-10-14T23:58:00+08:00',
        observedThrough: '2026-10-14T23:55:00+08:00',
      },
    },
    bad: {
      period: { startDate: '2026-10-14' },
      insightContext: {
        mode: 'today_so_far',
        asOf: '2026-10-15T00:01:00+08:00',
        observedThrough: '2026-10-14T23:55:00+08:00',
      },
    },
    windows: ['day'],
    check: (reading) => {
      const other = findOtherDay(reading)
      if (other === undefined || !isReportDay(reading)) return undefined
      const { start, asOf } = other
      return {
        path,
        message: `insightContext.mode is "today_so_far" and the day is ${formatDate(start)}, but asOf is on ${formatDate(asOf.inZone)} already; only observedThrough is on that day.`,
        expected: `asOf on ${formatDate(start)}`,
        actual: `asOf on ${formatDate(asOf.inZone)}`,
      }
    },
  },
  {
    id: 'mode-vitals-today-so-far',
    severity: 'error',
    section: '2.2',
    sentence:
      'For hr, hrv and rr the day of today has the mode "today_so_far", not "selected_window"; a day before the date asOf is written with is accepted, with a warning.',
    good: { metric: 'hr', period: { startDate: '2026-10-14' }, insightContext: { mode: 'today_so_far', ...seen } },
    bad: { metric: 'hr', period: { startDate: '2026-10-14' }, insightContext: { mode: 'selected_window', ...seen } },
    metrics: vitalMetrics,
    windows: ['day'],
    check: checkSelectedDay,
  },
  {
    id: 'mode-selected-day-is-past',
    severity: 'warning',
    section: '2.2',
    sentence: 'A day with the mode "selected_window" is a past day.',
    good: { period: { startDate: '2026-10-13' }, insightContext: { mode: 'selected_window', ...seen } },
    bad: { period: { startDate: '2026-10-14' }, insightContext: { mode: 'selected_window', ...seen } },
    metrics: ['activity', 'rest', 'bark'],
    windows: ['day'],
    check: checkSelectedDay,
  },
]

/** Returns the day that a mode of today is used for if no reading of asOf makes it today; another rule reports future days. */
function findOtherDay({ mode, metric, start, days, asOf }: Reading) {
  if (mode !== 'today_so_far' && !(mode === 'last_night' && metric === 'rest')) return undefined
  if (start === undefined || days === undefined || asOf === undefined) return undefined
  return isToday(start, asOf) || start > asOf.latest ? undefined : { start, asOf }
}

function isReportDay({ mode, start, observedMs, timezone }: Reading): boolean {
  if (mode !== 'today_so_far' || observedMs === undefined || timezone === undefined) return false
  return localDay(observedMs, timezone) === start
}

function checkSelectedDay({
  mode,
  metric,
  start,
  days,
  asOf,
  timezone,
  context,
}: Reading): ViolationDetails | undefined {
  if (mode !== 'selected_window' || days === undefined || asOf === undefined || start !== asOf.latest) return undefined
  const expected = metric === 'rest' ? '"last_night" or "today_so_far"' : '"today_so_far"'
  const inZone = asOf.asWritten === start ? '' : `, which is ${formatDate(start)} in ${timezone}`
  return {
    path,
    message: `insightContext.mode is "selected_window", which is for a past day, but the day is ${formatDate(start)} and asOf is ${textOf(context, 'asOf')}${inZone}: today is ${expected}.`,
    expected,
    actual: '"selected_window"',
  }
}
