import { dateParts, daysInMonth, formatDate, parseDate } from '../../insight/calendar.js'
import { type Changes, changePayload } from '../../insight/change-payload.js'
import type { HealthDetailPayload } from '../../insight/schema.js'
import type { Metric } from '../../insight/types.js'
import { byVital, isVital, type VitalMetric, vitalInfixes, vitalNames } from '../../insight/vitals.js'
import {
  setActivity,
  setActivityRange,
  setBarking,
  setBarkLimit,
  setBasis,
  setEarly,
  setFewRated,
  setGoal,
  setIdle,
  setWakes,
} from './amounts.js'

const day = / day /
const period = / (week|month) /
const dayOf = (metric: string) => new RegExp(`^${metric} day `)
const periodOf = (metric: string) => new RegExp(`^${metric} (week|month) `)

const set = (pages: RegExp, words: string, changes: Changes): Variation => ({
  words,
  pages,
  change: (payload) => changePayload(payload, changes),
})
const setIn =
  (path: string) =>
  (pages: RegExp, words: string, members: Changes): Variation =>
    set(pages, words, Object.fromEntries(Object.entries(members).map(([name, value]) => [`${path}/${name}`, value])))
const compare = setIn('/insightContext/comparison')
const measure = setIn('/metrics')

const make = (pages: RegExp, words: string, change: Variation['change']): Variation => ({ words, pages, change })
const send = (pages: RegExp, words: string, frame: NewWindow) =>
  make(pages, words, (payload) => reframe(payload, frame))

const ratings: readonly Variation[] = [
  set(/^rest /, 'rated fair', { '/suppliedJudgment/rating': 'Fair', '/suppliedJudgment/direction': -1 }),
  make(period, 'few rated days', setFewRated),
  set(/./, 'the change does not count as worse', { '/suppliedJudgment/deteriorating': false }),
]

const comparisons: readonly Variation[] = [
  compare(period, 'more than before', { changePercent: 12 }),
  compare(period, 'less than before', { changePercent: -8 }),
  compare(period, 'as much as before', { changePercent: 0.2 }),
  compare(period, 'no change sent', { changePercent: undefined }),
  make(day, 'compared with its breed', (payload) => setBasis(payload, 'breed')),
  make(day, 'compared with general values', (payload) => setBasis(payload, 'general')),
  compare(/^(activity|bark|hr|hrv|rr) day /, 'three unusual days in a row', { consecutiveUnusualDays: 3 }),
  compare(dayOf('rest'), 'moved much', { restRatingFactors: ['nightActivity'] }),
  compare(dayOf('rest'), 'no long rest', { restRatingFactors: ['longestRestBlock'] }),
  make(dayOf('activity'), 'a usual range below and above an hour', (payload) => setActivityRange(payload, 45, 95)),
  make(dayOf('bark'), 'a usual limit in hours', (payload) => setBarkLimit(payload, 7200)),
]

const amounts: readonly Variation[] = [
  make(dayOf('activity'), 'whole hours of activity', (payload) => setActivity(payload, 60)),
  make(dayOf('activity'), 'no activity', setIdle),
  make(dayOf('activity'), 'a goal of minutes only', (payload) => setGoal(payload, 45)),
  measure(dayOf('rest'), 'minutes only of rest', { 'night/nightRest/minutes': 45 }),
  measure(dayOf('rest'), 'whole hours of rest', { 'night/nightRest/minutes': 360 }),
  measure(dayOf('rest'), 'the device worn for whole hours', { 'night/wearingMinutes': 240 }),
  measure(dayOf('rest'), 'the device worn for hours and minutes', { 'night/wearingMinutes': 135 }),
  make(dayOf('rest'), 'did not wake', (payload) => setWakes(payload, 0)),
  make(dayOf('rest'), 'woke once', (payload) => setWakes(payload, 1)),
  measure(dayOf('rest'), 'no rest recorded', { 'night/nightRest/minutes': 0 }),
  measure(dayOf('rest'), 'the device not worn', { 'night/nightRest': undefined, 'night/wearingMinutes': 0 }),
  make(dayOf('bark'), 'minutes only of barking', (payload) => setBarking(payload, 2700, 9)),
  make(dayOf('bark'), 'less than a minute of barking', (payload) => setBarking(payload, 20, 2)),
  measure(dayOf('bark'), 'no duration sent', { barkDurationSeconds: undefined, barkEventCount: undefined }),
  make(dayOf('bark'), 'barked once', (payload) => setBarking(payload, 180, 1)),
  measure(periodOf('bark'), 'barked less than once a day', { averageDailyBarkEventCount: 0.4 }),
  measure(periodOf('bark'), 'barked once a day', { averageDailyBarkEventCount: 1 }),
  measure(periodOf('activity'), 'no average sent', { 'activityTime/averageDailyActivityMinutes': undefined }),
  measure(periodOf('rest'), 'no average sent', { 'nightRest/averageMinutes': undefined }),
  measure(periodOf('bark'), 'no average sent', {
    averageDailyBarkDurationSeconds: undefined,
    averageDailyBarkEventCount: undefined,
  }),
  set(day, 'the usual range is being learned', {
    '/insightContext/baselineProgress': { validDays: 4, requiredDays: 7 },
  }),
  set(day, 'the usual range is being learned, with one day so far', {
    '/insightContext/baselineProgress': { validDays: 1, requiredDays: 7 },
  }),
  set(day, 'the usual range takes one day', {
    '/insightContext/baselineProgress': { validDays: 0, requiredDays: 1 },
  }),
]

const thisWeek = { window: 'week', isCurrent: true } as const
const thatWeek = { window: 'week', isCurrent: false } as const
const thisMonth = { window: 'month', isCurrent: true } as const
const thatMonth = { window: 'month', isCurrent: false } as const
const inMinutes = /^(activity|rest) (week|month) /

const frames: readonly Variation[] = [
  send(period, 'this week', thisWeek),
  send(period, 'that week', thatWeek),
  send(period, 'this month', thisMonth),
  send(period, 'that month', thatMonth),
  send(period, 'this month, without records', { ...thisMonth, records: 0 }),
  send(inMinutes, 'this week, minutes only', { ...thisWeek, amount: 45 }),
  send(inMinutes, 'this week, whole hours', { ...thisWeek, amount: 240 }),
  send(inMinutes, 'this week, hours and minutes', { ...thisWeek, amount: 135 }),
  send(periodOf('bark'), 'this week, minutes only', { ...thisWeek, amount: 2700 }),
  send(periodOf('bark'), 'this week, whole hours', { ...thisWeek, amount: 14_400 }),
  send(periodOf('bark'), 'this week, hours and minutes', { ...thisWeek, amount: 8100 }),
  send(periodOf('bark'), 'this week, less than a minute', { ...thisWeek, amount: 20 }),
  send(periodOf('bark'), 'this week, no barking', { ...thisWeek, amount: 0 }),
]

/** Spanish has another article for one o'clock. */
const clock = make(/ today_so_far$/, 'at 1:05', setEarly)

const ofVital = /^(hr|hrv|rr) /
const vitals: readonly Variation[] = [
  make(ofVital, 'heart rate variability', (payload) => toMetric(payload, 'hrv')),
  make(ofVital, 'breathing rate', (payload) => toMetric(payload, 'rr')),
]

/** An ordinary value of each, to scale the numbers of one to another. */
const ordinaryValues = { hr: 70, hrv: 56, rr: 21 } as const

/** Turns a page into that of another vital sign: renames its members and scales its numbers and range. */
function toMetric(payload: HealthDetailPayload, metric: 'hrv' | 'rr'): HealthDetailPayload {
  const factor = ordinaryValues[metric] / ordinaryValues[payload.metric as keyof typeof ordinaryValues]
  const scale = (name: string, value: unknown) =>
    typeof value === 'number' && /^(value|usualLower|usualUpper)$|Average$/.test(name)
      ? Math.round(value * factor * 10) / 10
      : value
  const text = JSON.stringify({ ...payload, metric }, scale)
  return JSON.parse(text.replace(/Rest(Hr|Rmssd|Rr)(?=Average"|")/g, `Rest${vitalInfixes[metric]}`))
}

/** Every change that is tried on the fixtures to show the branches that none of them shows. */
export const variations: readonly Variation[] = [...frames, ...comparisons, ...ratings, ...amounts, clock, ...vitals]

/** A change to a payload that may change the words of its text. */
interface Variation {
  /** The change, in the words of a reader. */
  readonly words: string
  /** The pages that it applies to, matched against `metric window mode`. */
  readonly pages: RegExp
  readonly change: (payload: HealthDetailPayload) => HealthDetailPayload
}

/** The window to give a payload: week or month, with or without today, and the content of its days. */
interface NewWindow {
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
function reframe(payload: HealthDetailPayload, frame: NewWindow): HealthDetailPayload {
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
