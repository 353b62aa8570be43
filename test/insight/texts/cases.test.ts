import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy } from '../../../src/catalog/catalog.js'
import { generate, type Locale, locales, validate } from '../../../src/insight/index.js'
import { assertGolden } from '../../helpers/golden.js'
import { buildPayload, changePayload, type PayloadOptions } from '../../helpers/payloads.js'
import { loadPlainCopy } from '../../helpers/plain-copy.js'

/** Combinations that no fixture shows: each was once said in words that were odd or not true. */
const cases = suite('insight cases')
const copy = await loadPlainCopy()

type Case = readonly [title: string, options: PayloadOptions, changes: Readonly<Record<string, unknown>>]

const week = { viewWindow: 'week', name: 'Rex', comparison: null, deteriorating: false } as const
const day = { viewWindow: 'day', name: 'Rex', deteriorating: false } as const
const today = { ...day, mode: 'today_so_far' } as const
const lastNight = { ...day, metric: 'rest', mode: 'last_night' } as const
const minutes = '/metrics/activityTime/activityMinutes'
const goal = '/metrics/activityTime/activityMinutesGoal'
const rest = '/metrics/night/nightRest/minutes'
const wearing = '/metrics/night/wearingMinutes'
const barking = '/metrics/barkDurationSeconds'
const heartRate = '/metrics/nightRestHrAverage/value'
const noAverage = {
  '/metrics/activityTime/averageDailyActivityMinutes': null,
  '/metrics/nightRest/averageMinutes': null,
  '/metrics/nightRestHrAverage': null,
  '/metrics/allDayRestHrAverage': null,
  '/metrics/averageDailyBarkDurationSeconds': null,
}
/** Without the averages that only other metrics have. */
const without = (metric: 'activity' | 'rest' | 'hr' | 'bark') => {
  const own = { activity: /activityTime/, rest: /nightRest\/av/, hr: /Hr/, bark: /Bark/ }[metric]
  return Object.fromEntries(Object.entries(noAverage).filter(([path]) => own.test(path)))
}

const counts: readonly Case[] = [
  ['all rated nights low', { ...week, metric: 'rest', rating: 'Poor', attentionDays: 7 }, without('rest')],
  [
    'all rated days of a vital unusual, fewer than are over',
    { ...week, metric: 'hr', rating: 'high', count: 5, attentionDays: 5 },
    without('hr'),
  ],
  ['all days of barking unusual', { ...week, metric: 'bark', rating: 'frequent', attentionDays: 7 }, without('bark')],
  [
    'all days of activity unusual, in unknown directions',
    { ...week, metric: 'activity', rating: 'fluctuating', attentionDays: 7 },
    without('activity'),
  ],
  ['nights rated in part', { ...week, metric: 'rest', rating: 'Good', count: 3 }, without('rest')],
  [
    'days of a month rated in part',
    { ...week, viewWindow: 'month', metric: 'hr', rating: 'fluctuating', count: 10, attentionDays: 2 },
    without('hr'),
  ],
  [
    'days of activity rated in part: the words of health detail contract 2.6.7 stay',
    { ...week, metric: 'activity', count: 3 },
    without('activity'),
  ],
  [
    'all days that are over are rated, in a week that is not over',
    { ...week, metric: 'hr', asOf: '2026-10-16T10:00' },
    without('hr'),
  ],
]

const zeros: readonly Case[] = [
  [
    'a calm week without barking',
    { ...week, metric: 'bark' },
    {
      ...without('bark'),
      '/metrics/averageDailyBarkDurationSeconds': 0,
      '/metrics/averageDailyBarkEventCount': 0,
      '/metrics/barkEventCount': 0,
      '/metrics/dailyBarkDurations': undefined,
    },
  ],
  [
    'barks too short to measure',
    { ...day, metric: 'bark', comparison: null },
    { [barking]: 0, '/metrics/barkEventCount': 4 },
  ],
  ['a device that was not worn', { ...lastNight, rating: null, comparison: null }, { [rest]: undefined, [wearing]: 0 }],
  [
    'a device worn for less time than the rest that was recorded',
    { ...lastNight, rating: null, comparison: null },
    { [rest]: 471, [wearing]: 60 },
  ],
  [
    'a poor night without rest',
    { ...lastNight, rating: 'Poor', attentionDays: 1, comparison: { restRatingFactors: ['duration'] } },
    { [rest]: 0 },
  ],
  ['an unrated night without rest', { ...lastNight, rating: null }, { [rest]: 0 }],
  ['the night so far without rest', { ...today, metric: 'rest', rating: null }, { [rest]: 0 }],
  ['half a minute of rest less a little', { ...lastNight, rating: null }, { [rest]: 0.4 }],
  ['a day without activity, below its goal', { ...today, metric: 'activity', judgment: null }, { [minutes]: 0 }],
  [
    'a day without activity and without a goal',
    { ...today, metric: 'activity', judgment: null },
    { [minutes]: 0, [goal]: null },
  ],
  [
    'a past day without activity, rated high',
    { ...day, metric: 'activity', rating: 'high', attentionDays: 1 },
    { [minutes]: 0 },
  ],
  [
    'a past day without activity, rated low',
    { ...day, metric: 'activity', rating: 'low', attentionDays: 1, comparison: { usualLower: 180, usualUpper: 300 } },
    { [minutes]: 0 },
  ],
  [
    'a past day without activity, rated normal',
    { ...day, metric: 'activity', comparison: { usualLower: 180, usualUpper: 300 } },
    { [minutes]: 0 },
  ],
  ['a past day without activity, not rated', { ...day, metric: 'activity', judgment: null }, { [minutes]: 0 }],
  [
    'no valid day of a usual range',
    {
      ...day,
      metric: 'activity',
      judgment: null,
      comparison: null,
      baselineProgress: { validDays: 0, requiredDays: 14 },
    },
    {},
  ],
]

const activityRange = { usualLower: 180, usualUpper: 300 }
const vitalRange = { usualLower: 62, usualUpper: 84 }
const wakes = '/metrics/night/interruptions/count'

const comparisons: readonly Case[] = [
  [
    'an activity rated high that reads within its range',
    { ...day, metric: 'activity', rating: 'high', attentionDays: 1, comparison: activityRange },
    { [minutes]: 290 },
  ],
  [
    'an activity rated high that reads below its range',
    { ...day, metric: 'activity', rating: 'high', attentionDays: 1, comparison: activityRange },
    { [minutes]: 100 },
  ],
  [
    'an activity rated low that reads above its range',
    { ...day, metric: 'activity', rating: 'low', attentionDays: 1, comparison: activityRange },
    { [minutes]: 310 },
  ],
  [
    'a vital rated normal that reads outside its range',
    { ...day, metric: 'hr', comparison: vitalRange },
    { [heartRate]: 90 },
  ],
  [
    'a vital rated normal that rounding moves out of its range',
    { ...day, metric: 'hr', comparison: { usualLower: 62, usualUpper: 84.4 } },
    { [heartRate]: 84.5 },
  ],
  ['barking rated calm above its limit', { ...day, metric: 'bark', comparison: { usualUpper: 300 } }, {}],
  [
    'barking rated frequent below its limit',
    { ...day, metric: 'bark', rating: 'frequent', attentionDays: 1, comparison: { usualUpper: 900 } },
    {},
  ],
  [
    'wakes as the reason of a night without any',
    { ...lastNight, rating: 'Poor', attentionDays: 1, comparison: { restRatingFactors: ['interruptions'] } },
    { [wakes]: 0 },
  ],
  [
    'short rest as the reason of a night above its usual range',
    {
      ...lastNight,
      rating: 'Fair',
      comparison: { restRatingFactors: ['duration', 'nightActivity'], usualLower: 360, usualUpper: 470 },
    },
    {},
  ],
  [
    'a limit of some seconds',
    { ...day, metric: 'bark', rating: 'frequent', attentionDays: 1, comparison: { usualUpper: 20 } },
    {},
  ],
  ['a limit of 0', { ...today, metric: 'bark', judgment: null, comparison: { usualUpper: 0 } }, {}],
]

const bases: readonly Case[] = [
  [
    'a breed as the basis of a day without a value',
    { ...day, metric: 'bark', judgment: null, comparison: { pageEvaluationBasis: 'breed' } },
    { [barking]: null },
  ],
  [
    'a breed as the basis of today: health detail contract 2.2.1 states it in each text of a day',
    { ...today, metric: 'hr', rating: null, comparison: { pageEvaluationBasis: 'breed' } },
    { [heartRate]: 68 },
  ],
]

const streaks: readonly Case[] = [
  [
    'an active day that is the third unusual one',
    { ...day, metric: 'bark', rating: 'active', attentionDays: 1, comparison: { consecutiveUnusualDays: 3 } },
    {},
  ],
  [
    'days in a row without directions',
    { ...day, metric: 'activity', rating: 'high', attentionDays: 1, comparison: { consecutiveUnusualDays: 3 } },
    { [minutes]: 372 },
  ],
]

const twoReasons = { restRatingFactors: ['duration', 'interruptions'] } as const
const reasons: readonly Case[] = [
  [
    'two reasons with a streak',
    { ...lastNight, rating: 'Poor', attentionDays: 1, comparison: { ...twoReasons, consecutiveUnusualDays: 2 } },
    { [rest]: 300 },
  ],
  [
    'two reasons with a breed as the basis',
    { ...lastNight, rating: 'Poor', attentionDays: 1, comparison: { ...twoReasons, pageEvaluationBasis: 'breed' } },
    { [rest]: 300 },
  ],
  [
    'two reasons with a streak and a breed as the basis: the second is left out',
    {
      ...lastNight,
      rating: 'Poor',
      attentionDays: 1,
      comparison: { ...twoReasons, consecutiveUnusualDays: 2, pageEvaluationBasis: 'breed' },
    },
    { [rest]: 300 },
  ],
]

const numbers: readonly Case[] = [
  [
    'a gap to the goal, from the rounded durations',
    { ...today, metric: 'activity', judgment: null },
    { [minutes]: 89.6, [goal]: 120.4 },
  ],
  [
    'a goal missed by less than the rounding: a minute less, as catalog/README.md says',
    { ...today, metric: 'activity', judgment: null },
    { [minutes]: 299.6, [goal]: 300 },
  ],
  [
    'a change by more than all',
    { ...week, metric: 'rest', rating: null, comparison: { changePercent: -120 } },
    { '/metrics/nightRest/averageMinutes': 480, '/metrics/nightlyRestDurations': undefined },
  ],
  [
    'a change of four digits',
    { ...week, metric: 'rest', rating: null, comparison: { changePercent: 1234.5 } },
    { '/metrics/nightRest/averageMinutes': 480, '/metrics/nightlyRestDurations': undefined },
  ],
  ['a vital of 1', { ...day, metric: 'hr', rating: null, comparison: null }, { [heartRate]: 1 }],
]

/** Weeks and months without barking: the seconds and the barks of the average. */
const barkPeriods: readonly (readonly [string, Partial<PayloadOptions>, number | null, number | null])[] = [
  ['a calm week', {}, 0, 0],
  ['a calm week without a count', {}, 0, null],
  ['a calm week in which 4 days are rated', { count: 4 }, 0, 0],
  ['a week rated active without an unusual day', { rating: 'active' }, 0, 0],
  ['a week that is not rated', { rating: null }, 0, 0],
  ['a calm week so far', { asOf: '2026-10-16T10:00' }, 0, 0],
  ['a calm month', { viewWindow: 'month' }, 0, 0],
  ['a calm week with barks too short to measure', {}, 0, 2],
  ['a week that is not rated, with barks too short to measure', { rating: null }, 0, 0.3],
  [
    'a week with unusual days, whose average says nothing',
    { rating: 'frequent', attentionDays: 2, deteriorating: false },
    0,
    0,
  ],
  ['a calm week without an average', {}, null, null],
]
const silences = barkPeriods.map(
  ([title, options, average, barks]): Case => [
    `${title}, average ${average} s, ${barks} barks`,
    { metric: 'bark', viewWindow: 'week', name: 'Rex', comparison: { changePercent: -100 }, ...options },
    {
      '/metrics/averageDailyBarkDurationSeconds': average,
      '/metrics/averageDailyBarkEventCount': barks,
      '/metrics/barkEventCount': undefined,
      '/metrics/dailyBarkDurations': undefined,
    },
  ],
)

/** Averages of activity that would be told as 0. */
const stills = [0, 0.4].flatMap((average) =>
  [{ rating: null }, {}].map(
    (options): Case => [
      `an average of ${average} minutes of activity${'rating' in options ? ', not rated' : ''}`,
      { metric: 'activity', viewWindow: 'week', name: 'Rex', comparison: { changePercent: -80 }, ...options },
      {
        '/metrics/activityTime/averageDailyActivityMinutes': average,
        '/metrics/activityTime/dailyActivityMinutes': undefined,
      },
    ],
  ),
)

const insufficient: readonly Case[] = [
  [
    'a day with a night of 3 samples',
    { metric: 'hr', viewWindow: 'day', name: 'Rex', rating: null, comparison: null },
    {
      '/metrics/nightRestHrAverage/sampleCount': 3,
      '/metrics/allDayRestHrAverage': undefined,
    },
  ],
  [
    'a week with finished days and no average',
    { metric: 'activity', viewWindow: 'week', name: 'Rex', asOf: '2026-10-16T10:00', judgment: null },
    { '/metrics/activityTime/averageDailyActivityMinutes': null },
  ],
  [
    'a month that is over, with nights and no average',
    { metric: 'rest', viewWindow: 'month', name: 'Rex', rating: null },
    {
      '/metrics/nightRest/averageMinutes': null,
    },
  ],
  [
    'today with barks and no duration',
    { metric: 'bark', viewWindow: 'day', mode: 'today_so_far', name: 'Rex' },
    {
      '/metrics/barkDurationSeconds': null,
    },
  ],
  [
    'last night with a block of rest and no rest as a whole',
    {
      metric: 'rest',
      viewWindow: 'day',
      mode: 'last_night',
      name: 'Rex',
      rating: null,
      comparison: null,
    },
    { '/metrics/night/nightRest': undefined, '/metrics/night/longestRestBlockMinutes': 95 },
  ],
  [
    'the night so far with a block of rest and no rest as a whole',
    { metric: 'rest', viewWindow: 'day', mode: 'today_so_far', name: 'Rex', rating: null },
    {
      '/metrics/night/nightRest': undefined,
      '/metrics/night/longestRestBlockMinutes': 95,
    },
  ],
]

/** The shapes that the contract shows, word for word. Source: health detail contract, 2.6.7. */
const contractDay = { metric: 'activity', viewWindow: 'day', name: 'Rex', timezone: 'America/New_York' } as const
const contractWeek = { metric: 'activity', viewWindow: 'week', name: 'Rex', asOf: '2026-10-17T10:00' } as const
const ranges = { usualLower: 180, usualUpper: 300 }
const shapes: readonly Case[] = [
  [
    'activity, today, below goal',
    { ...contractDay, mode: 'today_so_far', judgment: null },
    { '/metrics/activityTime/activityMinutes': 210, '/metrics/activityTime/activityMinutesGoal': 300 },
  ],
  [
    'activity, today, goal met',
    { ...contractDay, mode: 'today_so_far', judgment: null },
    { '/metrics/activityTime/activityMinutes': 300.5, '/metrics/activityTime/activityMinutesGoal': 300 },
  ],
  [
    'activity, past day, high',
    { ...contractDay, rating: 'high', attentionDays: 1, comparison: ranges },
    { '/metrics/activityTime/activityMinutes': 372 },
  ],
  ['activity, past day, in range', { ...contractDay, comparison: ranges }, {}],
  [
    'activity, week, mixed low and high days',
    {
      ...contractWeek,
      rating: 'fluctuating',
      attentionDays: 2,
      comparison: { changePercent: 6, unusualLowDays: 1, unusualHighDays: 1 },
    },
    {},
  ],
  ['activity, week, all judged days in range', { ...contractWeek, comparison: { changePercent: 12.4 } }, {}],
  [
    'activity, week, few days with records',
    { ...contractWeek, asOf: '2026-10-14T10:00', judgment: null, comparison: { changePercent: 12.4 } },
    {},
  ],
  [
    'activity, month, low days',
    {
      metric: 'activity',
      viewWindow: 'month',
      name: 'Rex',
      rating: 'low',
      attentionDays: 1,
      comparison: { changePercent: -9, unusualLowDays: 1, unusualHighDays: 0 },
    },
    {},
  ],
  [
    'rest, last night, Poor, 2 consecutive',
    {
      metric: 'rest',
      viewWindow: 'day',
      name: 'Rex',
      mode: 'last_night',
      rating: 'Poor',
      attentionDays: 1,
      comparison: { restRatingFactors: ['duration'], consecutiveUnusualDays: 2 },
    },
    { '/metrics/night/nightRest/minutes': 278, '/metrics/night/interruptions/count': 7 },
  ],
  [
    'bark, past day, frequent',
    {
      metric: 'bark',
      viewWindow: 'day',
      name: 'Rex',
      rating: 'frequent',
      attentionDays: 1,
      comparison: { usualUpper: 900 },
    },
    { '/metrics/barkDurationSeconds': 2460, '/metrics/barkEventCount': 47 },
  ],
]

const groups = { counts, zeros, comparisons, bases, streaks, reasons, numbers, silences, stills, insufficient, shapes }

cases('are said in the approved words, in all languages', () => {
  const lines = Object.values(groups).flatMap((group) =>
    group.flatMap(([title, options, changes]) => {
      const payload = changePayload(buildPayload(options), changes)
      assert.equal(validate(payload).errors, [], title)
      return [title, ...locales.map((locale) => `  ${locale}  ${generate(payload, { copy, locale }).summary}`)]
    }),
  )
  assertGolden('insight-cases.txt', `${lines.join('\n')}\n`)
})

cases('keeps a number and its unit on one line in English and Spanish, and writes no spaces in Chinese', async () => {
  const shipped = await loadInsightCopy()
  const say = (options: PayloadOptions, locale: Locale) =>
    generate(buildPayload({ deteriorating: false, name: 'Rex', ...options }), { copy: shipped, locale }).summary
  const active = { metric: 'activity', viewWindow: 'week', comparison: { changePercent: 12 } } as const
  const heart = { metric: 'hr', viewWindow: 'day' } as const
  assert.match(say(active, 'en-US'), 'averaging 3\u00A0h 54\u00A0min a day, 12% more')
  assert.match(say(active, 'es'), 'fue de 3\u00A0h 54\u00A0min al día, un 12\u00A0% más')
  assert.match(say(active, 'zh-CN'), '平均每天活动3小时54分钟，比前一周多12%')
  assert.match(say(heart, 'en-US'), 'was 68\u00A0beats per minute, within its usual range (62-84)')
  assert.match(say(heart, 'es'), 'fue de 68\u00A0latidos por minuto')
  assert.match(say({ ...active, name: 'R2 h' }, 'en-US'), "R2 h's activity")
})

cases.run()
