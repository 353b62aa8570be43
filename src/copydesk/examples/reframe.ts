import { dateParts, daysInMonth, formatDate, parseDate } from '../../insight/calendar.js'
import { changePayload } from '../../insight/change-payload.js'
import type { HealthDetailPayload } from '../../insight/schema.js'
import type { Metric } from '../../insight/types.js'
import { byVital, isVital, type VitalMetric, vitalNames } from '../../insight/vitals.js'

/** The window to give a payload: week or month, with or without today, and the content of its days. */
export interface NewWindow {
  readonly window: 'week' | 'month'
  readonly isCurrent: boolean
  /**
   * Number of days or nights with records; all hold the same amount, so that the average is known. Default: all
   * elapsed.
   */
  readonly records?: number
  /** Minutes (activity, rest), seconds (bark) or the value (vitals) of each. Default: an ordinary amount. */
  readonly amount?: number
}

/**
 * Gives a payload another week or month. Rating, comparison and pet stay; dates, daily facts, averages and counts are
 * new.
 */
export function reframe(payload: HealthDetailPayload, frame: NewWindow): HealthDetailPayload {
  const { metric, period } = payload
  const chosen = parseDate(period.startDate) ?? 0
  const { day, month, weekday, year } = dateParts(chosen)
  const start = frame.window === 'week' ? chosen - weekday + 1 : chosen - day + 1
  const days = frame.window === 'week' ? 7 : daysInMonth(year, month)
  const end = start + days - 1
  // At 10:00 UTC nearly every inhabited time zone has the same date.
  const asOf = `${formatDate(frame.isCurrent ? end : end + 2)}T10:00:00Z`
  const over = frame.isCurrent ? days - 1 : days
  const records = Math.min(frame.records ?? over, over)
  const counts = metric === 'rest' || isVital(metric)
  return changePayload(payload, {
    '/viewWindow': frame.window,
    '/period/startDate': formatDate(start),
    '/period/endDate': formatDate(end),
    '/period/isCompleted': !frame.isCurrent,
    '/insightContext/mode': 'selected_window',
    '/insightContext/asOf': asOf,
    ...(metric === 'rest' && { '/insightContext/sourceSnapshot/asOf': Date.parse(asOf) }),
    '/insightContext/observedThrough': undefined,
    ...(counts && { '/period/elapsedNights': over, '/period/validNights': records }),
    ...rateDays(payload, records),
    '/metrics': dailyFacts[metric]({ start, days, records, amount: frame.amount ?? ordinary[metric] }),
  })
}

/** Rates every day or night that has records, if the payload has a rating. */
function rateDays(payload: HealthDetailPayload, rated: number): Record<string, unknown> {
  if (payload.suppliedJudgment == null || payload.suppliedJudgment.rating === null) return {}
  return { [`/suppliedJudgment/${payload.metric === 'rest' ? 'ratedNights' : 'judgedDays'}`]: rated }
}

interface Days {
  readonly start: number
  readonly days: number
  readonly records: number
  readonly amount: number
}

const ordinary: Readonly<Record<Metric, number>> = { activity: 215, rest: 495, hr: 71, hrv: 55, rr: 21, bark: 540 }

/** Returns one value per day of the window, null after the records end. */
const perDay = ({ days, records }: Days, value: number) =>
  Array.from({ length: days }, (_, index) => (index < records ? value : null))

const averageOf = ({ amount, records }: Days) => (records === 0 ? null : amount)

const dailyFacts: Readonly<Record<Metric, (days: Days) => Record<string, unknown>>> = {
  activity: (days) => ({
    activityTime: { averageDailyActivityMinutes: averageOf(days), dailyActivityMinutes: perDay(days, days.amount) },
  }),
  rest: (days) => ({
    nightRest: { averageMinutes: averageOf(days) },
    nightlyRestDurations: perDay(days, days.amount).map((minutes, index) => ({
      nightDate: formatDate(days.start + index),
      lightMovementMinutes: minutes === null ? null : 60,
      deepRestMinutes: minutes === null ? null : Math.max(0, minutes - 60),
    })),
  }),
  ...byVital((metric) => (days: Days) => vitalFacts(metric, days)),
  bark: (days) => ({
    averageDailyBarkDurationSeconds: averageOf(days),
    barkEventCount: days.records * countBarks(days),
    averageDailyBarkEventCount: days.records === 0 ? null : countBarks(days),
    dailyBarkDurations: perDay(days, days.amount).map((barkDurationSeconds, index) => ({
      date: formatDate(days.start + index),
      barkDurationSeconds,
    })),
  }),
}

/** Returns few barks for some seconds of barking, and 0 for 0. */
const countBarks = ({ amount }: Days) => (amount === 0 ? 0 : amount < 60 ? 2 : 12)

function vitalFacts(metric: VitalMetric, days: Days): Record<string, unknown> {
  const names = vitalNames[metric]
  const elements = (member: string, sampleCount: number) =>
    perDay(days, days.amount).map((value, index) => ({
      date: formatDate(days.start + index),
      [member]: value,
      sampleCount: value === null ? 0 : sampleCount,
    }))
  return {
    aggregationMethod: 'daily_median_mean_v1',
    [names.nightAverage]: { value: averageOf(days), sampleCount: 36 * days.records },
    [names.allDayAverage]: { value: averageOf(days), sampleCount: 88 * days.records },
    [names.dailyNights]: elements(names.nightAverage, 36),
    [names.dailyDays]: elements(names.allDayAverage, 88),
  }
}
