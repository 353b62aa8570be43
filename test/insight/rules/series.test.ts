import { suite } from 'uvu'
import { byEvenings } from './daily-facts.js'
import { day, lastNight, type MessageRow, month, type RuleRow, testMessages, testRows, thisWeek, week } from './rows.js'

const series = suite('series rules')

const toCome = 'series-future-value'
const rows: readonly RuleRow[] = [
  ['activity minutes 0', day('activity'), { 'activityTime/activityMinutes': 0 }],
  ['activity minutes 298.75', day('activity'), { 'activityTime/activityMinutes': 298.75 }],
  ['activity minutes null', day('activity'), { 'activityTime/activityMinutes': null }, 'activity-minutes-required'],
  ['activity minutes below zero', day('activity'), { 'activityTime/activityMinutes': -1 }, 'activity-minutes-required'],
  ['infinite activity', day('activity'), { 'activityTime/activityMinutes': Infinity }, 'activity-minutes-required'],
  ['activity time missing', day('activity'), { activityTime: undefined }, 'activity-minutes-required'],
  ['a goal below zero', day('activity'), { 'activityTime/activityMinutesGoal': -30 }],
  ['a goal that is a string', day('activity'), { 'activityTime/activityMinutesGoal': '4 h' }, 'metrics-number'],
  ['no facts at all for rest', lastNight(), { '/metrics': {} }],
  ['no facts at all for a week of activity', week('activity'), { '/metrics': {} }],
  ['null', week('rest'), { nightRest: null, nightlyRestDurations: null, dailyDayRestMinutes: null, dayRest: null }],
  ['a negative count', day('bark'), { barkEventCount: -3 }, 'metrics-number'],
  ['an array one too short', week('bark'), { dailyBarkDurations: [] }, 'series-window-length'],
  ['eight days in a week', week('activity'), { 'steps/dailySteps': [1, 2, 3, 4, 5, 6, 7, 8] }, 'series-window-length'],
  ['elements null', week('bark'), { dailyBarkDurations: Array(7).fill(null), averageDailyBarkDurationSeconds: null }],
  ['an element without date', week('bark'), { 'dailyBarkDurations/2/date': undefined }, 'series-element-date'],
  ['an element that is a number', week('bark'), { 'dailyBarkDurations/2': 410 }, 'series-element'],
  ['a date twice', week('hr'), { 'dailyNightRestHr/4/date': '2026-10-15' }, 'series-element-date'],
  ['an evening', week('rest'), { 'nightlyRestDurations/4/nightDate': '2026-10-15' }, 'series-element-date'],
  ...['2026-10-19T10:30', '2026-10-14T12:00', '2026-10-14T23:00'].map(
    (asOf): RuleRow => [`nights called by the evening before, asOf ${asOf}`, week('rest', { asOf }), byEvenings],
  ),
  ['the evening of asOf', thisWeek('rest'), { ...byEvenings, 'nightlyRestDurations/3/deepRestMinutes': 400 }],
  ['the evening after', thisWeek('rest'), { ...byEvenings, 'nightlyRestDurations/4/deepRestMinutes': 400 }, toCome],
  ['a zero for tomorrow', thisWeek('activity'), { 'activityTime/dailyActivityMinutes/3': 0 }, 'series-future-value'],
  ['a night to come', thisWeek('rest'), { 'nightlyRestDurations/3/deepRestMinutes': 400 }, 'series-future-value'],
  ['no samples for tomorrow', thisWeek('hr'), { 'dailyAllDayRestHr/3/sampleCount': 0 }],
  ['samples for tomorrow', thisWeek('hr'), { 'dailyAllDayRestHr/3/sampleCount': 4 }, 'series-future-value'],
  ['empty objects', week('rest'), { dailyDayRestMinutes: Array(7).fill({}), 'dayRest/averageMinutes': null }],
  ['day rest as an empty array', week('rest'), { dailyDayRestMinutes: [], 'dayRest/averageMinutes': 0 }],
  ['hourly rest of empty points', lastNight(), { day: { hourlyRestMinutes: Array(24).fill({}) } }],
  ['hourly rest of 25 hours', lastNight(), { 'day/hourlyRestMinutes': Array(25).fill(3) }],
]
testRows(series, rows, '/metrics')

const daysOf = (...days: readonly number[]) => days.map((day) => ({ date: `2026-10-${day}`, barkDurationSeconds: 410 }))

const messages: readonly MessageRow[] = [
  [
    'all days to come that have values',
    thisWeek('activity'),
    { 'steps/dailySteps': [6010, 6221, 3120, 0, 0, null, 0] },
    'metrics.steps.dailySteps[3] is 0, but 2026-10-15 is after the date of asOf, 2026-10-14: days to come are null. The same goes for 2 more entries: 4 and 6.',
    'steps/dailySteps/3',
  ],
  [
    'all dates that are off',
    week('bark'),
    {
      'dailyBarkDurations/2/date': '2026-10-15',
      'dailyBarkDurations/3/date': '2026-10-16',
      'dailyBarkDurations/4/date': '2026-10-17',
    },
    'metrics.dailyBarkDurations[2].date is "2026-10-15", but entry 2 of an array from 2026-10-12 is 2026-10-14. The same goes for 2 more entries: 3 to 4. 2026-10-14 is missing. 2026-10-17 comes twice.',
  ],
  [
    'how long an array is that is too long',
    week('activity'),
    { steps: { dailySteps: [1, 2, 3, 4, 5, 6, 7, 8] } },
    'metrics.steps.dailySteps has 8 entries, but the window has 7 days.',
    'steps/dailySteps',
  ],
  [
    'which day an array leaves out',
    week('bark'),
    { dailyBarkDurations: daysOf(12, 13, 14, 15, 17, 18) },
    'metrics.dailyBarkDurations has 6 entries, but the window has 7 days. 2026-10-16 is missing.',
  ],
  [
    'which day an array has twice',
    week('bark'),
    { dailyBarkDurations: daysOf(12, 13, 14, 15, 16, 16, 17, 18) },
    'metrics.dailyBarkDurations has 8 entries, but the window has 7 days. 2026-10-16 comes twice.',
  ],
  [
    'which nights called by their evenings are left out',
    week('rest'),
    { nightlyRestDurations: [11, 12, 14, 17].map((day) => ({ nightDate: `2026-10-${day}` })), nightRest: null },
    'metrics.nightlyRestDurations has 4 entries, but the window has 7 days. 2026-10-13, 2026-10-15 and 2026-10-16 are missing.',
  ],
  [
    'some of the many days that an array leaves out',
    month('bark'),
    { dailyBarkDurations: daysOf(12, 13) },
    'metrics.dailyBarkDurations has 2 entries, but the window has 31 days. 2026-10-01, 2026-10-02, 2026-10-03, 2026-10-04, 2026-10-05 and 24 more days are missing.',
  ],
  [
    'a wrong date of the first night',
    week('rest'),
    { 'nightlyRestDurations/0/nightDate': '2026-10-11' },
    'metrics.nightlyRestDurations[0].nightDate is "2026-10-11", but entry 0 of an array from 2026-10-12 is 2026-10-12. 2026-10-12 is missing.',
  ],
]
testMessages(series, messages, '/metrics')

series.run()
