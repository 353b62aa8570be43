import type { HealthDetailPayload } from '../insight/schema.js'
import { vitalInfixes } from '../insight/vitals.js'
import { type Frame, reframe } from './reframe.js'
import { type Changes, changePayload, type Variation } from './variation.js'

const day = / day /
const period = / (week|month) /
const dayOf = (metric: string) => new RegExp(`^${metric} day `)
const periodOf = (metric: string) => new RegExp(`^${metric} (week|month) `)

const set = (pages: RegExp, words: string, changes: Changes): Variation => ({
  words,
  pages,
  change: (payload) => changePayload(payload, changes),
})
const compare = (pages: RegExp, words: string, members: Changes): Variation =>
  set(
    pages,
    words,
    Object.fromEntries(Object.entries(members).map(([name, value]) => [`/insightContext/comparison/${name}`, value])),
  )
const measure = (pages: RegExp, words: string, members: Changes): Variation =>
  set(pages, words, Object.fromEntries(Object.entries(members).map(([name, value]) => [`/metrics/${name}`, value])))

const ratings: readonly Variation[] = [
  set(/^rest /, 'rated fair', { '/suppliedJudgment/rating': 'Fair', '/suppliedJudgment/direction': -1 }),
  set(/./, 'the change does not count as worse', { '/suppliedJudgment/deteriorating': false }),
]

const comparisons: readonly Variation[] = [
  compare(period, 'more than before', { changePercent: 12 }),
  compare(period, 'less than before', { changePercent: -8 }),
  compare(period, 'as much as before', { changePercent: 0.2 }),
  compare(period, 'no change sent', { changePercent: undefined }),
  compare(day, 'compared with its breed', {
    pageEvaluationBasis: 'breed',
    usualLower: undefined,
    usualUpper: undefined,
  }),
  compare(day, 'compared with general values', {
    pageEvaluationBasis: 'general',
    usualLower: undefined,
    usualUpper: undefined,
  }),
  compare(dayOf('rest'), 'moved much', { restRatingFactors: ['nightActivity'] }),
  compare(dayOf('rest'), 'no long rest', { restRatingFactors: ['longestRestBlock'] }),
  compare(dayOf('activity'), 'a usual range below and above an hour', { usualLower: 45, usualUpper: 95 }),
  compare(dayOf('bark'), 'a usual limit in hours', { usualUpper: 7200 }),
  compare(dayOf('bark'), 'a usual limit in hours and minutes', { usualUpper: 5400 }),
]

const amounts: readonly Variation[] = [
  measure(dayOf('activity'), 'whole hours of activity', { 'activityTime/activityMinutes': 240 }),
  measure(dayOf('activity'), 'a goal of minutes only', { 'activityTime/activityMinutesGoal': 45 }),
  measure(dayOf('rest'), 'minutes only of rest', { 'night/nightRest/minutes': 45 }),
  measure(dayOf('rest'), 'whole hours of rest', { 'night/nightRest/minutes': 240 }),
  measure(dayOf('rest'), 'the device worn for whole hours', { 'night/wearingMinutes': 240 }),
  measure(dayOf('rest'), 'the device worn for hours and minutes', { 'night/wearingMinutes': 135 }),
  measure(dayOf('rest'), 'did not wake', { 'night/interruptions/count': 0 }),
  measure(dayOf('rest'), 'woke once', { 'night/interruptions/count': 1 }),
  measure(dayOf('rest'), 'no rest sent', { 'night/nightRest': undefined }),
  measure(dayOf('bark'), 'minutes only of barking', { barkDurationSeconds: 2700, barkEventCount: 9 }),
  measure(dayOf('bark'), 'less than a minute of barking', { barkDurationSeconds: 20, barkEventCount: 2 }),
  measure(dayOf('bark'), 'no barking', { barkDurationSeconds: 0, barkEventCount: 0 }),
  measure(dayOf('bark'), 'barked once', { barkEventCount: 1 }),
  measure(periodOf('bark'), 'barked less than once a day', { averageDailyBarkEventCount: 0.4 }),
  measure(periodOf('bark'), 'barked once a day', { averageDailyBarkEventCount: 1 }),
  measure(periodOf('activity'), 'no average sent', { 'activityTime/averageDailyActivityMinutes': undefined }),
  measure(periodOf('rest'), 'no average sent', { 'nightRest/averageMinutes': undefined }),
  measure(periodOf('bark'), 'no average sent', {
    averageDailyBarkDurationSeconds: undefined,
    averageDailyBarkEventCount: undefined,
  }),
  set(day, 'the usual range is being learnt', {
    '/insightContext/baselineProgress': { validDays: 4, requiredDays: 7 },
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
  send(period, 'that week, without records', { ...thatWeek, records: 0 }),
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

function send(pages: RegExp, words: string, frame: Frame): Variation {
  return { words, pages, change: (payload) => reframe(payload, frame) }
}

/** One hour is another word in Spanish. */
const clock: Variation = {
  words: 'at 1:05',
  pages: / today_so_far$/,
  change: (payload) => {
    const { asOf, observedThrough } = payload.insightContext
    const offset = /(Z|[+-][\d:]+)$/.exec(observedThrough ?? asOf)?.[0] ?? 'Z'
    return changePayload(payload, {
      '/insightContext/observedThrough': `${payload.period.startDate}T01:05:00${offset}`,
    })
  },
}

const vitalNames = { hrv: 'heart rate variability', rr: 'breathing rate' } as const

const vitals: readonly Variation[] = (['hrv', 'rr'] as const).map((metric) => ({
  words: vitalNames[metric],
  pages: /^(hr|hrv|rr) /,
  change: (payload) => toMetric(payload, metric),
}))

/** The same numbers as those of another vital: they are named after it. */
function toMetric(payload: HealthDetailPayload, metric: keyof typeof vitalNames): HealthDetailPayload {
  const text = JSON.stringify({ ...payload, metric })
  return JSON.parse(text.replace(/Rest(Hr|Rmssd|Rr)(?=Average"|")/g, `Rest${vitalInfixes[metric]}`))
}

/** Every change that is tried on the fixtures to show a branch that none of them shows. */
export const variations: readonly Variation[] = [...frames, ...comparisons, ...ratings, ...amounts, clock, ...vitals]
