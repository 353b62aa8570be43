import { suite } from 'uvu'
import { activityWeek, restNights } from './daily-facts.js'
import { day, inComparison, inMetrics, lastNight, type RuleRow, testRows, week } from './rows.js'

const amounts = suite('amount rules')

const rows: readonly RuleRow[] = [
  ['a whole day of activity', day('activity'), { [inMetrics('activityTime/activityMinutes')]: 1440 }],
  [
    'activity in seconds',
    day('activity'),
    { [inMetrics('activityTime/activityMinutes')]: 12_600 },
    '?metrics-beyond-day',
  ],
  [
    'a goal in seconds',
    day('activity'),
    { [inMetrics('activityTime/activityMinutesGoal')]: 14_400 },
    '?metrics-beyond-day',
  ],
  [
    'days in seconds',
    week('activity'),
    activityWeek(9100, 9000, 9100, 9200),
    '?metrics-beyond-day ?metrics-beyond-day',
  ],
  ['barking in milliseconds', day('bark'), { [inMetrics('barkDurationSeconds')]: 999_999 }, '?metrics-beyond-day'],
  ['a whole day of barking', day('bark'), { [inMetrics('barkDurationSeconds')]: 86_400 }],
  ['a night of 11 hours', lastNight(), { [inMetrics('night/nightRest/minutes')]: 660 }],
  ['a night in seconds', lastNight(), { [inMetrics('night/nightRest/minutes')]: 30_720 }, '?metrics-beyond-night'],
  ['wearing in seconds', lastNight(), { [inMetrics('night/wearingMinutes')]: 34_440 }, '?metrics-beyond-night'],
  [
    'a night in seconds, without its times',
    lastNight(),
    {
      [inMetrics('night/startAt')]: null,
      [inMetrics('night/endAt')]: null,
      [inMetrics('night/nightRest/minutes')]: 30_720,
    },
    '?metrics-beyond-night',
  ],
  [
    'a longer night that was sent so',
    lastNight(),
    { [inMetrics('night/startAt')]: '2026-10-13T20:00:00+08:00', [inMetrics('night/nightRest/minutes')]: 700 },
    '?night-time-shifted',
  ],
  [
    'nights in seconds',
    week('rest'),
    restNights(27_000, 2, [24_000, 2400], [25_200, 2400]),
    '?metrics-beyond-night ?metrics-beyond-night',
  ],
  [
    'a range of hours',
    lastNight(),
    { [inComparison('usualLower')]: 7, [inComparison('usualUpper')]: 9 },
    '?comparison-range-unit',
  ],
  ['a range of little activity', day('activity'), { [inComparison('usualLower')]: 7, [inComparison('usualUpper')]: 9 }],
  ['a range of 0', lastNight(), { [inComparison('usualLower')]: 0, [inComparison('usualUpper')]: 0 }],
  [
    'a range in seconds',
    day('activity'),
    { [inComparison('usualLower')]: 10_800, [inComparison('usualUpper')]: 18_000 },
    '?comparison-range-unit',
  ],
]
testRows(amounts, rows)

amounts.run()
