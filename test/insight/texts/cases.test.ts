import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy } from '../../../src/catalog/catalog.js'
import { generate, type Locale, locales, metrics, validate } from '../../../src/insight/index.js'
import { assertGolden } from '../../helpers/golden.js'
import { buildPayload, changePayload, type PayloadOptions } from '../../helpers/payloads.js'
import { loadPlainCopy } from '../../helpers/plain-copy.js'

/** Combinations that no fixture shows: each was once said in words that were odd or not true. */
const cases = suite('insight cases')
const copy = await loadPlainCopy()

type Case = readonly [title: string, options: PayloadOptions, changes?: Readonly<Record<string, unknown>>]

const week = { viewWindow: 'week', name: 'Rex', comparison: null, deteriorating: false } as const
const month = { ...week, viewWindow: 'month' } as const
const day = { viewWindow: 'day', name: 'Rex', deteriorating: false } as const
const barkDay = { ...day, metric: 'bark' } as const
const hrDay = { ...day, metric: 'hr' } as const
const today = { ...day, mode: 'today_so_far' } as const
const lastNight = { ...day, metric: 'rest', mode: 'last_night' } as const
const unratedNight = { ...lastNight, rating: null, comparison: null } as const
const poorNight = { ...lastNight, rating: 'Poor', attentionDays: 1 } as const
const activityToday = { ...today, metric: 'activity', judgment: null } as const
const high = { rating: 'high', attentionDays: 1 } as const
const low = { rating: 'low', attentionDays: 1 } as const
const frequent = { rating: 'frequent', attentionDays: 1 } as const
const breed = { pageEvaluationBasis: 'breed' } as const
const minutes = '/metrics/activityTime/activityMinutes'
const goal = '/metrics/activityTime/activityMinutesGoal'
const rest = '/metrics/night/nightRest/minutes'
const wakes = '/metrics/night/interruptions/count'
const wearing = '/metrics/night/wearingMinutes'
const barking = '/metrics/barkDurationSeconds'
const barks = '/metrics/barkEventCount'
const heartRate = '/metrics/nightRestHrAverage/value'
const observedThrough = '/insightContext/observedThrough'
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
  ['five unusual days of hr', { ...week, metric: 'hr', rating: 'high', count: 5, attentionDays: 5 }, without('hr')],
  ['all days of barking unusual', { ...week, metric: 'bark', rating: 'frequent', attentionDays: 7 }, without('bark')],
  [
    'all activity unusual',
    { ...week, metric: 'activity', rating: 'fluctuating', attentionDays: 7 },
    without('activity'),
  ],
  ['nights rated in part', { ...week, metric: 'rest', rating: 'Good', count: 3 }, without('rest')],
  ['a half-rated month', { ...month, metric: 'hr', rating: 'fluctuating', count: 10, attentionDays: 2 }, without('hr')],
  // Health detail contract 2.6.7: its words stay.
  ['days of activity rated in part', { ...week, metric: 'activity', count: 3 }, without('activity')],
  ['all days of a week so far', { ...week, metric: 'hr', asOf: '2026-10-16T10:00' }, without('hr')],
]

const activityRange = { usualLower: 180, usualUpper: 300 }
const pastDay = { ...day, metric: 'activity' } as const
const unratedDay = { ...pastDay, judgment: null } as const
const activityInRange = { ...pastDay, comparison: activityRange } as const
const vital = (usualLower: number, usualUpper: number, rating: string | null = 'normal') =>
  ({ ...hrDay, rating, comparison: { usualLower, usualUpper } }) as const

const zeros: readonly Case[] = [
  [
    'a calm week without barking',
    { ...week, metric: 'bark' },
    {
      ...without('bark'),
      '/metrics/averageDailyBarkDurationSeconds': 0,
      '/metrics/averageDailyBarkEventCount': 0,
      [barks]: 0,
      '/metrics/dailyBarkDurations': undefined,
    },
  ],
  ['barks too short to measure', { ...barkDay, comparison: null }, { [barking]: 0, [barks]: 4 }],
  ['a device that was not worn', unratedNight, { [rest]: undefined, [wearing]: 0 }],
  ['a device worn for less time than the rest that was recorded', unratedNight, { [rest]: 471, [wearing]: 60 }],
  ['a poor night without rest', { ...poorNight, comparison: { restRatingFactors: ['duration'] } }, { [rest]: 0 }],
  ['an unrated night without rest', { ...lastNight, rating: null }, { [rest]: 0 }],
  ['the night so far without rest', { ...today, metric: 'rest', rating: null }, { [rest]: 0 }],
  ['half a minute of rest less a little', { ...lastNight, rating: null }, { [rest]: 0.4 }],
  ['a day without activity, below its goal', activityToday, { [minutes]: 0 }],
  ['a day without activity and without a goal', activityToday, { [minutes]: 0, [goal]: null }],
  ['a past day without activity, rated high', { ...pastDay, ...high }, { [minutes]: 0 }],
  ['a past day without activity, rated low', { ...activityInRange, ...low }, { [minutes]: 0 }],
  ['a past day without activity, rated normal', activityInRange, { [minutes]: 0 }],
  ['a past day without activity, not rated', { ...pastDay, judgment: null }, { [minutes]: 0 }],
  ['a range without a day', { ...unratedDay, comparison: null, baselineProgress: { validDays: 0, requiredDays: 14 } }],
]

const fairFactors = { restRatingFactors: ['duration', 'nightActivity'] } as const
const shortRest = { usualLower: 360, usualUpper: 470 }
const comparisons: readonly Case[] = [
  ['an activity rated high that reads within its range', { ...activityInRange, ...high }, { [minutes]: 290 }],
  ['an activity rated high that reads below its range', { ...activityInRange, ...high }, { [minutes]: 100 }],
  ['an activity rated low that reads above its range', { ...activityInRange, ...low }, { [minutes]: 310 }],
  ['a vital rated normal that reads outside its range', vital(62, 84), { [heartRate]: 90 }],
  ['a vital rated normal that rounding moves out of its range', vital(62, 84.4), { [heartRate]: 84.5 }],
  ['barking rated calm above its limit', { ...barkDay, comparison: { usualUpper: 300 } }],
  ['barking rated frequent below its limit', { ...barkDay, ...frequent, comparison: { usualUpper: 900 } }],
  ['wakes without any', { ...poorNight, comparison: { restRatingFactors: ['interruptions'] } }, { [wakes]: 0 }],
  ['short rest above its range', { ...lastNight, rating: 'Fair', comparison: { ...fairFactors, ...shortRest } }],
  ['a limit of some seconds', { ...barkDay, ...frequent, comparison: { usualUpper: 20 } }],
  ['a limit of 0', { ...today, metric: 'bark', judgment: null, comparison: { usualUpper: 0 } }],
]

const bases: readonly Case[] = [
  ['a breed without a value', { ...barkDay, judgment: null, comparison: breed }, { [barking]: null }],
  // Health detail contract 2.2.1 states it in each text of a day.
  ['a breed as the basis of today', { ...today, metric: 'hr', rating: null, comparison: breed }, { [heartRate]: 68 }],
  // A day without barking that is not calm needs the norms.
  ...['calm', 'active', 'frequent'].map(
    (rating): Case => [
      `a breed as the basis of a day without barking that is rated ${rating}`,
      { ...barkDay, rating, attentionDays: 0, comparison: breed },
      { [barking]: 0, [barks]: 0 },
    ],
  ),
]

const streaks: readonly Case[] = [
  ['a third active day', { ...barkDay, rating: 'active', attentionDays: 1, comparison: { consecutiveUnusualDays: 3 } }],
  ['days without directions', { ...pastDay, ...high, comparison: { consecutiveUnusualDays: 3 } }, { [minutes]: 372 }],
  ...[1, 2].flatMap((consecutiveUnusualDays): Case[] => [
    [`day ${consecutiveUnusualDays} in a row`, { ...hrDay, ...high, comparison: { consecutiveUnusualDays } }],
    [`night ${consecutiveUnusualDays} in a row`, { ...poorNight, comparison: { consecutiveUnusualDays } }],
  ]),
]

const twoReasons = { restRatingFactors: ['duration', 'interruptions'] } as const
const streak = { ...twoReasons, consecutiveUnusualDays: 2 } as const
const reasons: readonly Case[] = [
  ['two reasons, streak', { ...poorNight, comparison: streak }, { [rest]: 300 }],
  ['two reasons with a breed as the basis', { ...poorNight, comparison: { ...twoReasons, ...breed } }, { [rest]: 300 }],
  ['two reasons, streak, breed', { ...poorNight, comparison: { ...streak, ...breed } }, { [rest]: 300 }],
  // At most two, each once, no unknown one, and no short stretches next to short rest.
  ...[
    ['constructor', 'duration', 'interruptions', 'nightActivity'],
    ['somethingNew', '__proto__'],
    ['duration', 'duration'],
    ['duration', 'longestRestBlock'],
    ['longestRestBlock', 'duration'],
    ['longestRestBlock', 'nightActivity'],
  ].map(
    (factors): Case => [`the reasons ${factors.join()}`, { ...poorNight, comparison: { restRatingFactors: factors } }],
  ),
  ...(
    [
      [0.4, ['interruptions', 'duration']],
      [7, ['interruptions']],
    ] as const
  ).map(
    ([count, restRatingFactors]): Case => [
      `wakes as a reason of a night with ${count} wakes`,
      { ...poorNight, comparison: { restRatingFactors } },
      { [rest]: 300, [wakes]: count },
    ],
  ),
]

/** Nights with hardly any rest: nothing can wake from it, and a rated one does not state it. */
const restless = [
  ['so far', { ...today, metric: 'rest', rating: null }],
  ['not rated', { ...lastNight, rating: null }],
  ['rated Good', { ...lastNight, rating: 'Good' }],
  ['rated Fair', { ...lastNight, rating: 'Fair', attentionDays: 0 }],
  ['rated Poor', poorNight],
] as const
const shortNights = restless.flatMap(([title, options]) =>
  (
    [
      [0, 0],
      [0.4, 0],
      [0, 3],
      [0.5, 0],
    ] as const
  ).map(
    ([rested, count]): Case => [
      `a night ${title} with ${rested} minutes of rest and ${count} wakes`,
      options,
      { [rest]: rested, [wakes]: count },
    ],
  ),
)

const unratedRest = { ...week, metric: 'rest', rating: null } as const
const restAverage = '/metrics/nightRest/averageMinutes'
const longRest = { [restAverage]: 480, '/metrics/nightlyRestDurations': undefined }
const [nightAverage, allDayAverage] = ['/metrics/nightRestHrAverage', '/metrics/allDayRestHrAverage']
const zero = { value: 0, sampleCount: 0 }
const numbers: readonly Case[] = [
  ['a gap to the goal, from the rounded durations', activityToday, { [minutes]: 89.6, [goal]: 120.4 }],
  // A minute less, as catalog/README.md says.
  ['a goal missed by less than the rounding', activityToday, { [minutes]: 299.6, [goal]: 300 }],
  ['a change by more than all', { ...unratedRest, comparison: { changePercent: -120 } }, longRest],
  ['a change of four digits', { ...unratedRest, comparison: { changePercent: 1234.5 } }, longRest],
  ['a vital of 1', { ...hrDay, rating: null, comparison: null }, { [heartRate]: 1 }],
  // A value of 0 is not known.
  ['0 at night', { ...hrDay, comparison: null }, { [nightAverage]: zero, '/metrics/allDayRestHrAverage/value': 74 }],
  ['a vital of 0', { ...hrDay, comparison: null }, { [nightAverage]: zero, [allDayAverage]: zero }],
  ['a week of 0', { ...week, metric: 'rest', comparison: { changePercent: 4 } }, { ...longRest, [restAverage]: 0 }],
  ['a large count of barks', { ...barkDay }, { [barks]: 1234 }],
  ['a count of barks that rounds to 0', { ...barkDay, comparison: null }, { [barks]: 0.3 }],
  ['a count of barks today that rounds to 0', { ...today, metric: 'bark', comparison: null }, { [barks]: 0.49 }],
  ['barks of a week, not every day', { ...week, metric: 'bark' }, { '/metrics/averageDailyBarkEventCount': 0.3 }],
  ['seconds of barking, and of a limit', { ...barkDay, comparison: { usualUpper: 12 } }, { [barking]: 29 }],
  ['unrated barks', { ...barkDay, comparison: null, judgment: null }, { [barking]: 0, [barks]: 4 }],
  ['barks of today', { ...today, metric: 'bark', comparison: null, judgment: null }, { [barking]: 0, [barks]: 4 }],
  ...[-120, -100, -99.5, -99.4, -22.4, -12.5, -0.49, -0, 0, 0.49, 12.5, 1000].map(
    (changePercent): Case => [
      `a change by ${changePercent} percent`,
      { ...week, metric: 'activity', comparison: { changePercent } },
    ],
  ),
  // The gap has at least a minute.
  ...(
    [
      [239.8, 240],
      [239.4, 240],
      [240.2, 240.4],
      [238.6, 240],
      [0.9, 1],
      [180, 240],
    ] as const
  ).map(
    ([active, wanted]): Case => [
      `${active} minutes below a goal of ${wanted}`,
      activityToday,
      { [minutes]: active, [goal]: wanted },
    ],
  ),
]

/** Values near the bounds of their range: the words must be true of the numbers as they are printed. */
const ranges: readonly Case[] = [
  ...(
    [
      ['high', 300.4, 180, 300],
      ['high', 300, 180, 300],
      ['high', 300.5, 180, 300],
      ['low', 180, 180.3, 300],
      ['low', 179.4, 180, 300],
      ['high', 400, 299.6, 300.4],
      ['normal', 300.4, 180, 300.4],
      ['normal', 300, 299.6, 300.4],
      ['normal', 0, -5, 0.4],
      [null, 200, 300, 300],
      [null, 200, 180, 300],
    ] as const
  ).map(
    ([rating, active, usualLower, usualUpper]): Case => [
      `${active} minutes of activity rated ${rating}, of ${usualLower} to ${usualUpper}`,
      { ...pastDay, rating, comparison: { usualLower, usualUpper } },
      { [minutes]: active },
    ],
  ),
  ...(
    [
      ['normal', 72, 71.6, 72.4],
      ['high', 73, 71.6, 72.4],
      ['high', 72.44, 71.6, 72.3],
      ['high', 72.6, 72.46, 72.54],
      ['low', 61.7, 62, 84],
      ['low', 61.4, 62, 84],
      ['high', 84.04, 62, 84],
      ['normal', 68, 90, 84],
      ['normal', 68, -5, 84],
      [null, 72, 72, 72],
    ] as const
  ).map(
    ([rating, value, usualLower, usualUpper]): Case => [
      `a vital of ${value} rated ${rating}, of ${usualLower} to ${usualUpper}`,
      vital(usualLower, usualUpper, rating),
      { [heartRate]: value },
    ],
  ),
  ['a vital with a range and a breed', { ...hrDay, comparison: { usualLower: 62, usualUpper: 84, ...breed } }],
  ...(
    [
      ['frequent', 901, 900],
      ['frequent', 930, 900],
      ['active', 901, 900],
      ['frequent', 25, 20],
      ['frequent', 60, 0],
      ['frequent', 90, 20],
      ['frequent', null, 900],
      ['calm', 900, 900],
    ] as const
  ).map(
    ([rating, seconds, usualUpper]): Case => [
      `${seconds} seconds of barking rated ${rating}, with a limit of ${usualUpper}`,
      { ...barkDay, rating, attentionDays: 0, comparison: { usualUpper } },
      { [barking]: seconds },
    ],
  ),
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
  ['an average that says nothing', { ...frequent, attentionDays: 2, deteriorating: false }, 0, 0],
  ['a calm week without an average', {}, null, null],
]
const silences = barkPeriods.map(
  ([title, options, average, count]): Case => [
    `${title}, average ${average} s, ${count} barks`,
    { metric: 'bark', viewWindow: 'week', name: 'Rex', comparison: { changePercent: -100 }, ...options },
    {
      '/metrics/averageDailyBarkDurationSeconds': average,
      '/metrics/averageDailyBarkEventCount': count,
      [barks]: undefined,
      '/metrics/dailyBarkDurations': undefined,
    },
  ],
)

/** A week is silent only if each day has records. */
const unheard: readonly Case[] = [
  ...(
    [
      [7, 'calm'],
      [6, 'calm'],
      [6, null],
      [2, 'calm'],
      [2, null],
    ] as const
  ).map(
    ([known, rating]): Case => [
      `a week without barking with ${known} days of records, rated ${rating}`,
      { metric: 'bark', viewWindow: 'week', name: 'Rex', rating },
      {
        '/metrics/averageDailyBarkDurationSeconds': 0,
        '/metrics/averageDailyBarkEventCount': 0,
        '/metrics/dailyBarkDurations': Array.from({ length: 7 }, (_, index) => ({
          date: `2026-10-${12 + index}`,
          barkDurationSeconds: index < known ? 0 : null,
        })),
      },
    ],
  ),
  [
    'a week of barking without a full day of records',
    { ...week, metric: 'bark', asOf: '2026-10-12T10:00', judgment: null },
    { '/metrics': { averageDailyBarkDurationSeconds: 0, dailyBarkDurations: Array(7).fill(null) } },
  ],
]

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

const blockOnly = { '/metrics/night/nightRest': undefined, '/metrics/night/longestRestBlockMinutes': 95 }
const insufficient: readonly Case[] = [
  [
    'a night of 3 samples',
    { ...hrDay, rating: null, comparison: null },
    { '/metrics/nightRestHrAverage/sampleCount': 3, '/metrics/allDayRestHrAverage': undefined },
  ],
  [
    'a week without an average',
    { metric: 'activity', viewWindow: 'week', name: 'Rex', asOf: '2026-10-16T10:00', judgment: null },
    { '/metrics/activityTime/averageDailyActivityMinutes': null },
  ],
  ['a bare month', { metric: 'rest', viewWindow: 'month', name: 'Rex', rating: null }, { [restAverage]: null }],
  ['today with barks and no duration', { ...today, metric: 'bark' }, { [barking]: null }],
  ['last night with a block of rest and no rest as a whole', unratedNight, blockOnly],
  ['the night so far with a block of rest alone', { ...today, metric: 'rest', rating: null }, blockOnly],
  // A page of today whose last report is from the day before has nothing, and one from just after midnight has.
  ...metrics.flatMap((metric) =>
    ['2026-10-13T23:55:00+08:00', '2026-10-14T00:01:00+08:00'].map(
      (time): Case => [
        `${metric} of today, reported at ${time}`,
        { ...today, metric, asOf: '2026-10-14T00:05' },
        { [observedThrough]: time },
      ],
    ),
  ),
]

const kathmandu = { ...today, metric: 'bark', timezone: 'Asia/Kathmandu' } as const
const times: readonly Case[] = [
  ['a report in UTC', { ...kathmandu, asOf: '2026-10-14T17:00' }, { [observedThrough]: '2026-10-14T10:20:59.999Z' }],
  ['a report without an offset, told as it is', kathmandu, { [observedThrough]: '2026-10-14T15:59' }],
]

/** The shapes that the contract shows, word for word. Source: health detail contract, 2.6.7. */
const split = (changePercent: number, unusualLowDays: number, unusualHighDays: number) => ({
  ...{ changePercent, unusualLowDays, unusualHighDays },
})
const contractDay = { metric: 'activity', viewWindow: 'day', name: 'Rex', timezone: 'America/New_York' } as const
const contractToday = { ...contractDay, mode: 'today_so_far', judgment: null } as const
const change = { changePercent: 12.4 } as const
const contractWeek = { metric: 'activity', viewWindow: 'week', name: 'Rex', asOf: '2026-10-17T10:00' } as const
const shapes: readonly Case[] = [
  ['activity, today, below goal', contractToday, { [minutes]: 210, [goal]: 300 }],
  ['activity, today, goal met', contractToday, { [minutes]: 300.5, [goal]: 300 }],
  ['activity, past day, high', { ...contractDay, ...high, comparison: activityRange }, { [minutes]: 372 }],
  ['activity, past day, in range', { ...contractDay, comparison: activityRange }],
  [
    'activity, week, mixed low and high days',
    { ...contractWeek, rating: 'fluctuating', attentionDays: 2, comparison: split(6, 1, 1) },
  ],
  ['activity, week, all judged days in range', { ...contractWeek, comparison: change }],
  [
    'activity, week, few days with records',
    { ...contractWeek, asOf: '2026-10-14T10:00', judgment: null, comparison: change },
  ],
  [
    'activity, month, low',
    { ...contractWeek, viewWindow: 'month', asOf: undefined, ...low, comparison: split(-9, 1, 0) },
  ],
  [
    'rest, last night, Poor, 2 consecutive',
    {
      ...{ metric: 'rest', viewWindow: 'day', name: 'Rex', mode: 'last_night', rating: 'Poor', attentionDays: 1 },
      comparison: { restRatingFactors: ['duration'], consecutiveUnusualDays: 2 },
    },
    { [rest]: 278, [wakes]: 7 },
  ],
  [
    'bark, past day, frequent',
    { metric: 'bark', viewWindow: 'day', name: 'Rex', ...frequent, comparison: { usualUpper: 900 } },
    { [barking]: 2460, [barks]: 47 },
  ],
]

const groups = [
  ...[counts, zeros, comparisons, bases, streaks, reasons, shortNights, numbers, ranges, silences, unheard, stills],
  ...[insufficient, times, shapes],
]

cases('are said in the approved words, in all languages', () => {
  const lines = groups.flat().flatMap(([title, options, changes = {}]) => {
    const payload = changePayload(buildPayload(options), changes)
    assert.equal(validate(payload).errors, [], title)
    const { status } = generate(payload, { copy })
    return [
      `${title}: ${status}`,
      ...locales.map((locale) => `  ${locale}  ${generate(payload, { copy, locale }).summary}`),
    ]
  })
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
