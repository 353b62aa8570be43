import type { PayloadOptions } from '../../helpers/payloads.js'
import { activityWeek, week7 } from './daily-facts.js'
import { type RuleRow, runRules, thisWeek, week } from './rows.js'

const stepsWeek = (average: unknown, ...values: readonly (number | null)[]) => ({
  steps: { averageDailySteps: average, dailySteps: week7(...values) },
})

/** A week seen on its Monday: no day is finished. */
const monday = week('activity', { asOf: '2026-10-12T12:00' })
/** A week seen on its Tuesday in UTC, which is Monday in the pet's time zone. */
const tuesday = week('activity', { asOf: '2026-10-13T01:00:00Z', timezone: 'America/New_York', rating: null })
const activityAgrees = 'activity-average-agrees'
const restAgrees = 'day-rest-average-agrees'
const withoutDays = 'activity-average-without-days'
const dayRestWeek = (average: unknown, ...values: readonly (number | null)[]) => ({
  dailyDayRestMinutes: week7(...values),
  'dayRest/averageMinutes': average,
})
runRules('day average rules', '/metrics', [
  ['bark counts that differ', week('bark'), { barkEventCount: 1, averageDailyBarkEventCount: 90 }],
  ['the mean of two finished days', thisWeek('activity'), activityWeek(250, 200, 300, 90)],
  ['off by exactly 1', thisWeek('activity'), activityWeek(251, 200, 300, 90)],
  ['off by exactly 1 below', thisWeek('activity'), activityWeek(249, 200, 300, 90)],
  ['off by 1 with floating noise', thisWeek('activity'), activityWeek(251.1, 200.1, 300.1, 90)],
  ['off by 1.01', thisWeek('activity'), activityWeek(251.01, 200, 300, 90), 'activity-average-agrees'],
  ['a half', thisWeek('activity'), activityWeek(250.5, 200, 301, 90)],
  ['noise of a sum', thisWeek('activity'), activityWeek(0.1 + 0.2, 0.3, 0.3, 90)],
  ['a day without records', thisWeek('activity'), activityWeek(300, null, 300, 90)],
  ['today counted as finished', thisWeek('activity'), activityWeek(196.7, 200, 300, 90), 'activity-average-agrees'],
  ['an average without its days', thisWeek('activity'), { activityTime: { averageDailyActivityMinutes: 250 } }],
  ['days without their average', thisWeek('activity'), activityWeek(null, 200, 300, 90)],
  ['a number over no finished day', monday, { ...activityWeek(90, 90), ...stepsWeek(null) }, withoutDays],
  ['a zero over no finished day', monday, { ...activityWeek(0, 90), ...stepsWeek(null) }, withoutDays],
  ['a number over days without records', thisWeek('activity'), activityWeek(200, null, null, 90), withoutDays],
  ['steps with today', thisWeek('activity'), stepsWeek(5000, 6000, 7000, 2000)],
  ['steps without today', thisWeek('activity'), stepsWeek(6500, 6000, 7000, 2000)],
  ['steps of neither', thisWeek('activity'), stepsWeek(6000, 6000, 7000, 2000), 'steps-average-agrees'],
  ['steps of today alone', monday, { ...activityWeek(null, 90), ...stepsWeek(2000, 2000) }],
  ['a zero of steps over no day', monday, { ...activityWeek(null, 90), ...stepsWeek(0) }],
  ['steps over no day', monday, { ...activityWeek(null, 90), ...stepsWeek(5000, 2000) }, '?average-without-days'],
  ['bare steps', monday, { ...activityWeek(null, 90), steps: { averageDailySteps: 5000 } }, '?average-without-days'],
  ...(
    [
      ['a text', '6000', 'series-array'],
      ['an empty array', [], 'series-window-length'],
    ] as const
  ).map(
    ([what, dailySteps, broken]): RuleRow => [
      `steps over ${what}`,
      monday,
      { ...activityWeek(null, 90), steps: { averageDailySteps: 5000, dailySteps } },
      broken,
    ],
  ),
  [
    'activity over a text',
    monday,
    { activityTime: { averageDailyActivityMinutes: 90, dailyActivityMinutes: '90' }, ...stepsWeek(null) },
    'series-array',
  ],
  ['day rest with today', thisWeek('rest'), dayRestWeek(200, 200, 300, 100), restAgrees],
  ['all-day with today', thisWeek('hr'), { 'allDayRestHrAverage/value': 77.8 }],
  ['bark with today', thisWeek('bark'), { averageDailyBarkDurationSeconds: 502 }],
  ['bark of neither mean', thisWeek('bark'), { averageDailyBarkDurationSeconds: 505 }, 'bark-average-agrees'],
  ...(['2026-10-12T21:00:00-04:00', '2026-10-13T01:00:00Z'] as const).flatMap((asOf): readonly RuleRow[] => {
    const monday = (name: PayloadOptions['metric']) => week(name, { asOf, timezone: 'America/New_York', rating: null })
    return [
      [`a zero of bark on Monday, asOf ${asOf}`, monday('bark'), { averageDailyBarkDurationSeconds: 0 }],
      [`a zero of steps on Monday, asOf ${asOf}`, monday('activity'), { 'steps/averageDailySteps': 0 }],
      [`a zero of day rest on Monday, asOf ${asOf}`, monday('rest'), { 'dayRest/averageMinutes': 0 }],
      [`a zero of all-day hr on Monday, asOf ${asOf}`, monday('hr'), { 'allDayRestHrAverage/value': 0 }],
      [`day rest on Monday, asOf ${asOf}`, monday('rest'), { 'dayRest/averageMinutes': 100 }, '?average-without-days'],
    ]
  }),
  ['activity of the finished day by the date as written', tuesday, activityWeek(205, 205)],
  ['activity that no finished day by either date explains', tuesday, activityWeek(300, 205), 'activity-average-agrees'],
  ['an average built before midnight', week('activity', { asOf: '2026-10-14T00:05' }), activityWeek(200, 200, 300)],
  ['one of 11 min before', week('activity', { asOf: '2026-10-14T00:11' }), activityWeek(200, 200, 300), activityAgrees],
  [
    'an average of the days before the latest report',
    thisWeek('activity'),
    { ...activityWeek(200, 200, 300), '/insightContext/observedThrough': '2026-10-13T20:00:00+08:00' },
  ],
  [
    'an average of the days before a report of another week',
    thisWeek('rest'),
    {
      ...dayRestWeek(300, 200, 300, 100),
      '/insightContext/observedThrough': '2026-10-01T20:00:00+08:00',
    },
    restAgrees,
  ],
  [
    'a whole day without samples',
    week('hr'),
    { 'dailyAllDayRestHr/2/sampleCount': 0, 'dailyAllDayRestHr/2/allDayRestHrAverage': 300 },
    'vital-empty-sample',
  ],
  ['a day to come in its average', thisWeek('activity'), activityWeek(300, 200, 300, 90, 400), 'series-future-value'],
  [
    'the finished day of the reading that has one',
    tuesday,
    activityWeek(300, 205),
    'averageDailyActivityMinutes is 300, but the 1 finished day averages 205; within 1 of that was expected.',
    'activityTime/averageDailyActivityMinutes',
  ],
  [
    'the found and the expected average',
    week('activity', { asOf: '2026-10-18T12:00' }),
    activityWeek(412, 398, 399, 398, 399, 398, 399),
    'averageDailyActivityMinutes is 412, but the 6 finished days average 398.5; within 1 of that was expected.',
    'activityTime/averageDailyActivityMinutes',
  ],
])
