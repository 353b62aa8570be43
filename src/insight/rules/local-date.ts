import { formatDate } from '../calendar.js'
import { nameMember } from '../describe-value.js'
import type { Reading, Today } from '../reading.js'
import type { CheckedRule, ViolationDetails } from './rule.js'
import { checkFuture } from './series.js'

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
