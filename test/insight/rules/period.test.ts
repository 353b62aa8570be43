import { day, month, type RuleRow, runRules, thisWeek, today, week } from './rows.js'

const asOf = (time: string) => ({ '/insightContext/asOf': time })
const [september, natural] = [month('bark', { date: '2026-09-01' }), 'period-month-is-natural-month']
const within = 'period-nights-within-window'
const required = 'period-nights-required'
const future = 'period-not-in-future'
runRules('period rules', '/period', [
  ['29 February', day('hr', { date: '2026-02-28' }), { startDate: '2026-02-29', endDate: '2026-02-28' }, 'period-date'],
  ['a bad start of a week', week('hr'), { startDate: '2026-13-12' }, 'period-date'],
  ['time zone UTC', day('rest', { timezone: 'UTC' }), {}],
  ['time zone GMT', day('rest', { timezone: 'GMT' }), {}],
  ['time zone CET', day('rest', { timezone: 'CET' }), {}],
  ['time zone Cuba', day('hr', { timezone: 'Cuba' }), {}],
  ...['CST', 'JST', 'IST', 'EST', 'MST', 'HST'].map(
    (timezone): RuleRow => [`time zone ${timezone}`, day('hr', { timezone }), {}, '?period-timezone-abbreviation'],
  ),
  ['isCompleted missing', day('hr'), { isCompleted: undefined }, 'period-is-completed'],
  ['isCompleted null', day('hr'), { isCompleted: null }, 'period-is-completed'],
  ['a week from Monday to Saturday', week('activity'), { endDate: '2026-10-17' }, 'period-week-monday-to-sunday'],
  ['a week of fourteen days', week('activity'), { endDate: '2026-10-25' }, 'period-week-monday-to-sunday'],
  ['a week that runs backwards', week('activity'), { endDate: '2026-10-05' }, 'period-week-monday-to-sunday'],
  ['a month without its last day', september, { endDate: '2026-09-29' }, natural],
  ['a month of seven days', september, { endDate: '2026-09-07' }, natural],
  ['thirty days from the second', september, { startDate: '2026-09-02', endDate: '2026-10-01' }, natural],
  ['nights null', week('hr'), { elapsedNights: null, validNights: null }],
  ['nights missing', week('hr'), { elapsedNights: undefined, validNights: undefined }, `${required} ${required}`],
  ['nights with activity', week('activity'), { elapsedNights: 40, validNights: -1 }],
  ['nights that are texts with bark', week('bark'), { elapsedNights: '7' }, 'period-nights-integer'],
  ['nights as 7.0', week('rest'), { elapsedNights: 7.0 }],
  ['half a night', week('rest'), { validNights: 6.5 }, 'period-nights-integer'],
  ['a negative number of nights', week('rest'), { validNights: -1 }, 'period-nights-within-window'],
  ['nights below 0', week('rest'), { startDate: 'x', elapsedNights: -1, validNights: null }, `period-date ${within}`],
  ['more valid nights than elapsed', week('rest', { rating: null }), { elapsedNights: 5 }, within],
  ['more nights than the window', week('rest'), { elapsedNights: 8, validNights: 8 }, 'period-nights-within-window'],
  ['too many valid nights', week('rest'), { elapsedNights: null, validNights: 8 }, within],
  ['the night of today', thisWeek('rest'), { elapsedNights: 3 }],
  ['the night of tomorrow', thisWeek('rest'), { elapsedNights: 4 }, '?period-nights-after-today'],
  ['a past day as of just after midnight', day('hr', { asOf: '2026-10-15T00:00' }), {}],
  [
    'a day completed at 23:59',
    day('activity', { asOf: '2026-10-14T23:59' }),
    { isCompleted: true },
    'period-completed-before-today ?mode-selected-day-is-past',
  ],
  ['completed for the pet', day('hr'), { ...asOf('2026-10-14T20:00-07:00'), isCompleted: true }],
  ['a completed week in progress', thisWeek('activity'), { isCompleted: true }, 'period-completed-before-today'],
  ['tomorrow', week('activity', { asOf: '2026-10-12T09:00' }), asOf('2026-10-11T09:00+08:00'), future],
  ['a day to come', today('hr'), asOf('2026-10-13T16:05+08:00'), `${future} ?context-observed-after-today`],
  [
    'a week of vitals to come',
    week('hr', { rating: null }),
    { ...asOf('2026-09-01T12:00+08:00'), isCompleted: false },
    'period-not-in-future',
  ],
  ['a week to come', week('rest'), asOf('2026-09-01T12:00+08:00'), `${future} ?context-snapshot-as-of-differs`],
  [
    'the week that a week from Sunday mostly covers',
    week('activity', { date: '2026-03-11' }),
    { startDate: '2026-03-08', endDate: '2026-03-14' },
    'period is 2026-03-08, a Sunday, to 2026-03-14, a Saturday, but a week runs from Monday to the Sunday after it: 2026-03-09 to 2026-03-15 was expected.',
  ],
  [
    'the week of one that begins on Wednesday',
    week('activity', { date: '2026-03-11' }),
    { startDate: '2026-03-11', endDate: '2026-03-15' },
    'period is 2026-03-11, a Wednesday, to 2026-03-15, a Sunday, but a week runs from Monday to the Sunday after it: 2026-03-09 to 2026-03-15 was expected.',
  ],
  [
    'the month that the dates mostly cover',
    month('bark', { date: '2026-09-01' }),
    { startDate: '2026-08-31', endDate: '2026-09-29' },
    'period is 2026-08-31, a Monday, to 2026-09-29, a Tuesday, but a month runs from its first to its last day: 2026-09-01 to 2026-09-30 was expected.',
  ],
  [
    'a day of two dates',
    day('activity'),
    { startDate: '2026-10-13' },
    'period is 2026-10-13 to 2026-10-14, but a day window starts and ends on the same day: both dates are 2026-10-13, or both 2026-10-14.',
    'endDate',
  ],
  [
    'a week that is sent as a day',
    day('activity', { date: '2026-10-18' }),
    { startDate: '2026-10-12' },
    'period is 2026-10-12 to 2026-10-18, but a day window starts and ends on the same day: both dates are 2026-10-12, or both 2026-10-18, or viewWindow is "week".',
    'endDate',
  ],
])
