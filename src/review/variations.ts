import type { HealthDetailPayload } from '../insight/schema.js'
import { type Metric, metrics } from '../insight/types.js'
import { isVital, vitalInfixes } from '../insight/vitals.js'
import { type Frame, reframe } from './reframe.js'
import { type Changes, changePayload, type Variation } from './variation.js'

const day = / day /
const today = / today_so_far$/
const period = / (week|month) /
const vital = '(hr|hrv|rr)'
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
const rate = (pages: RegExp, rating: string, direction: number): Variation =>
  set(pages, `rated ${rating.toLowerCase()}`, {
    '/suppliedJudgment/rating': rating,
    '/suppliedJudgment/direction': direction,
  })
const measure = (pages: RegExp, words: string, members: Changes): Variation =>
  set(pages, words, Object.fromEntries(Object.entries(members).map(([name, value]) => [`/metrics/${name}`, value])))

const ratings: readonly Variation[] = [
  rate(/^(activity|hr|hrv|rr) /, 'normal', 0),
  rate(/^(activity|hr|hrv|rr) /, 'low', -1),
  rate(/^(activity|hr|hrv|rr) /, 'high', 1),
  rate(/^rest /, 'Good', 0),
  rate(/^rest /, 'Fair', -1),
  rate(/^rest /, 'Poor', -1),
  rate(/^bark /, 'calm', 0),
  rate(/^bark /, 'active', 1),
  rate(/^bark /, 'frequent', 1),
  set(/./, 'the change does not count as worse', { '/suppliedJudgment/deteriorating': false }),
  set(/./, 'the change counts as worse', { '/suppliedJudgment/deteriorating': undefined }),
  set(/^(activity|bark) /, 'no rating sent', { '/suppliedJudgment': undefined }),
  ...[0, 1, 2].flatMap((days) => [
    set(/^(activity|hr|hrv|rr|bark) /, days === 1 ? '1 unusual day' : `${days} unusual days`, {
      '/suppliedJudgment/unusualDays': days,
    }),
    set(/^rest /, days === 1 ? '1 night of poor rest' : `${days} nights of poor rest`, {
      '/suppliedJudgment/lowRestDays': days,
    }),
  ]),
  ...[0, 1, 2].flatMap((low) =>
    [0, 1, 2].map((high) =>
      set(periodOf('activity'), `${low} low and ${high} high`, {
        '/insightContext/comparison/unusualLowDays': low,
        '/insightContext/comparison/unusualHighDays': high,
        '/suppliedJudgment/unusualDays': low + high,
      }),
    ),
  ),
]

const reasons: readonly (readonly [words: string, factors: readonly string[]])[] = [
  ['no reason sent', []],
  ['short rest', ['duration']],
  ['woke often', ['interruptions']],
  ['moved much', ['nightActivity']],
  ['no long rest', ['longestRestBlock']],
  ['two reasons', ['duration', 'interruptions']],
]

const comparisons: readonly Variation[] = [
  compare(period, 'more than before', { changePercent: 12 }),
  compare(period, 'less than before', { changePercent: -8 }),
  compare(period, 'as much as before', { changePercent: 0.2 }),
  compare(period, 'no change sent', { changePercent: undefined }),
  compare(day, '3 in a row', { consecutiveUnusualDays: 3 }),
  compare(day, 'not in a row', { consecutiveUnusualDays: undefined }),
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
  compare(day, 'compared with its own values', { pageEvaluationBasis: undefined }),
  ...reasons.map(([words, restRatingFactors]) => compare(dayOf('rest'), words, { restRatingFactors })),
  compare(day, 'no usual range sent', { usualLower: undefined, usualUpper: undefined }),
  compare(dayOf('activity'), 'a usual range in whole hours', { usualLower: 180, usualUpper: 300 }),
  compare(dayOf('activity'), 'a usual range below and above an hour', { usualLower: 45, usualUpper: 95 }),
  compare(dayOf(vital), 'a usual range', { usualLower: 42, usualUpper: 84 }),
  compare(dayOf('bark'), 'a usual limit in minutes', { usualUpper: 900 }),
  compare(dayOf('bark'), 'a usual limit in hours', { usualUpper: 7200 }),
  compare(dayOf('bark'), 'a usual limit in hours and minutes', { usualUpper: 5400 }),
]

const minutes: readonly (readonly [words: string, value: number])[] = [
  ['minutes only', 45],
  ['whole hours', 240],
  ['hours and minutes', 135],
]
const counts = [0, 1, 3]

const amounts: readonly Variation[] = [
  ...minutes.flatMap(([words, value]) => [
    measure(dayOf('activity'), `${words} of activity`, { 'activityTime/activityMinutes': value }),
    measure(dayOf('activity'), `a goal of ${words}`, { 'activityTime/activityMinutesGoal': value }),
    measure(dayOf('activity'), `a goal missed by ${words}`, {
      'activityTime/activityMinutes': 60,
      'activityTime/activityMinutesGoal': 60 + value,
    }),
    measure(dayOf('rest'), `${words} of rest`, { 'night/nightRest/minutes': value }),
    measure(dayOf('rest'), `the device worn for ${words}`, { 'night/wearingMinutes': value }),
    measure(dayOf('bark'), `${words} of barking`, { barkDurationSeconds: value * 60, barkEventCount: 9 }),
  ]),
  measure(dayOf('bark'), 'less than a minute of barking', { barkDurationSeconds: 20, barkEventCount: 2 }),
  measure(dayOf('bark'), 'no barking', { barkDurationSeconds: 0, barkEventCount: 0 }),
  ...counts.flatMap((count) => [
    measure(dayOf('rest'), count === 1 ? 'woke once' : `woke ${count} times`, { 'night/interruptions/count': count }),
    measure(dayOf('bark'), count === 1 ? 'barked once' : `barked ${count} times`, { barkEventCount: count }),
    measure(periodOf('bark'), count === 0 ? 'barked less than once a day' : `barked ${count} times a day`, {
      averageDailyBarkEventCount: count === 0 ? 0.4 : count,
    }),
  ]),
  measure(dayOf('rest'), 'no wakes sent', { 'night/interruptions': undefined }),
  measure(dayOf('bark'), 'no count of barks sent', { barkEventCount: undefined }),
  measure(periodOf('bark'), 'no count of barks sent', { averageDailyBarkEventCount: undefined }),
  measure(dayOf('activity'), 'no goal set', { 'activityTime/activityMinutesGoal': undefined }),
  measure(dayOf('activity'), 'no activity sent', { 'activityTime/activityMinutes': undefined }),
  measure(dayOf('rest'), 'no rest sent', { 'night/nightRest': undefined }),
  measure(dayOf('bark'), 'no barking sent', { barkDurationSeconds: undefined, barkEventCount: undefined }),
  measure(periodOf('activity'), 'no average sent', { 'activityTime/averageDailyActivityMinutes': undefined }),
  measure(periodOf('rest'), 'no average sent', { 'nightRest/averageMinutes': undefined }),
  measure(periodOf('bark'), 'no average sent', {
    averageDailyBarkDurationSeconds: undefined,
    averageDailyBarkEventCount: undefined,
  }),
  ...(['hr', 'hrv', 'rr'] as const).map((metric) =>
    measure(new RegExp(`^${metric} `), 'no value sent', {
      [`nightRest${vitalInfixes[metric]}Average`]: undefined,
      [`allDayRest${vitalInfixes[metric]}Average`]: undefined,
    }),
  ),
  set(day, 'the usual range is being learnt', {
    '/insightContext/baselineProgress': { validDays: 4, requiredDays: 7 },
  }),
]

const frames: readonly Variation[] = (['week', 'month'] as const).flatMap((window) =>
  [true, false].flatMap((isCurrent) => {
    const words = `${isCurrent ? 'this' : 'that'} ${window}`
    const frame = { window, isCurrent }
    return [
      reframed(words, period, frame),
      ...[0, 1, 2].map((records) =>
        reframed(`${words}, ${records} with records`, period, { ...frame, records, rated: 0 }),
      ),
      ...minutes.flatMap(([amountWords, amount]) => [
        reframed(`${words}, ${amountWords}`, /^(activity|rest) (week|month) /, { ...frame, amount }),
        reframed(`${words}, ${amountWords}`, periodOf('bark'), { ...frame, amount: amount * 60 }),
      ]),
      reframed(`${words}, less than a minute`, periodOf('bark'), { ...frame, amount: 20 }),
      reframed(`${words}, no barking`, periodOf('bark'), { ...frame, amount: 0 }),
      ...[1, 2].map((rated) => reframed(`${words}, ${rated} rated`, period, { ...frame, rated })),
    ]
  }),
)

function reframed(words: string, pages: RegExp, frame: Frame): Variation {
  return { words, pages, change: (payload) => reframe(payload, frame) }
}

const clocks: readonly Variation[] = ['01:05', '00:40', '16:05'].map((time) => ({
  words: `at ${time}`,
  pages: today,
  change: (payload) => {
    const { asOf, observedThrough } = payload.insightContext
    const offset = /(Z|[+-][\d:]+)$/.exec(observedThrough ?? asOf)?.[0] ?? 'Z'
    return changePayload(payload, {
      '/insightContext/observedThrough': `${payload.period.startDate}T${time}:00${offset}`,
    })
  },
}))

const vitalMetrics: readonly Variation[] = metrics.filter(isVital).map((metric) => ({
  words: { hr: 'heart rate', hrv: 'heart rate variability', rr: 'breathing rate' }[metric],
  pages: new RegExp(`^${vital} `),
  change: (payload) => toMetric(payload, metric),
}))

/** The same numbers as those of another vital: they are named after it. */
function toMetric(payload: HealthDetailPayload, metric: Extract<Metric, 'hr' | 'hrv' | 'rr'>): HealthDetailPayload {
  const text = JSON.stringify({ ...payload, metric })
  return JSON.parse(text.replace(/Rest(Hr|Rmssd|Rr)(?=Average"|")/g, `Rest${vitalInfixes[metric]}`))
}

/** Every change that is tried on the fixtures to show a branch that none of them shows. */
export const variations: readonly Variation[] = [
  ...frames,
  ...comparisons,
  ...ratings,
  ...amounts,
  ...clocks,
  ...vitalMetrics,
]
