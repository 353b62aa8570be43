import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { daysInMonth } from '../../../src/insight/calendar.js'
import { validate } from '../../../src/insight/validate.js'
import { buildPayload } from '../../helpers/payloads.js'
import { day, type MessageRow, month, type RuleRow, testMessages, testRows, thisWeek, today, week } from './rows.js'

const period = suite('period rules')

const rows: readonly RuleRow[] = [
  ['29 February of a leap year', day('hr', { date: '2024-02-29' }), {}],
  [
    '29 February of another year',
    day('hr', { date: '2026-02-28' }),
    { startDate: '2026-02-29', endDate: '2026-02-29' },
    'period-date period-date',
  ],
  ['a date with a time', day('hr'), { startDate: '2026-10-14T00:00:00' }, 'period-date'],
  ['a date without zeros', day('hr'), { endDate: '2026-1-4' }, 'period-date'],
  ['a bad start of a week', week('hr'), { startDate: '2026-13-12' }, 'period-date'],
  ['time zone UTC', day('rest', { timezone: 'UTC' }), {}],
  ['time zone GMT', day('rest', { timezone: 'GMT' }), {}],
  ['time zone CET', day('rest', { timezone: 'CET' }), {}],
  ['time zone Cuba', day('hr', { timezone: 'Cuba' }), {}],
  ...['CST', 'JST', 'IST', 'EST', 'MST', 'HST'].map(
    (timezone): RuleRow => [`time zone ${timezone}`, day('hr', { timezone }), {}, '?period-timezone-abbreviation'],
  ),
  ['time zone Asia/Kathmandu', week('hrv', { timezone: 'Asia/Kathmandu' }), {}],
  ['an offset as time zone', day('rest'), { timezone: '+08:00' }, 'period-timezone'],
  ['a city that does not exist', week('hr'), { timezone: 'Asia/Atlantis' }, 'period-timezone'],
  ['isCompleted missing', day('hr'), { isCompleted: undefined }, 'period-is-completed'],
  ['isCompleted null', day('hr'), { isCompleted: null }, 'period-is-completed'],
  ['a week from Monday to Saturday', week('activity'), { endDate: '2026-10-17' }, 'period-week-monday-to-sunday'],
  ['a week of fourteen days', week('activity'), { endDate: '2026-10-25' }, 'period-week-monday-to-sunday'],
  ['a week that runs backwards', week('activity'), { endDate: '2026-10-05' }, 'period-week-monday-to-sunday'],
  ['a week over New Year', week('activity', { date: '2026-12-31' }), {}],
  [
    'a month without its last day',
    month('bark', { date: '2026-09-01' }),
    { endDate: '2026-09-29' },
    'period-month-is-natural-month',
  ],
  [
    'a month of seven days',
    month('bark', { date: '2026-09-01' }),
    { endDate: '2026-09-07' },
    'period-month-is-natural-month',
  ],
  [
    'thirty days from the second',
    month('bark', { date: '2026-09-01', asOf: '2026-10-08T10:00' }),
    { startDate: '2026-09-02', endDate: '2026-10-01' },
    'period-month-is-natural-month',
  ],
  ['nights null', week('hr'), { elapsedNights: null, validNights: null }],
  [
    'nights missing',
    week('hr'),
    { elapsedNights: undefined, validNights: undefined },
    'period-nights-required period-nights-required',
  ],
  ['nights missing for activity', week('activity'), {}],
  ['nights missing on a day', day('hr'), {}],
  ['nights with activity', week('activity'), { elapsedNights: 40, validNights: -1 }],
  ['nights that are texts with bark', week('bark'), { elapsedNights: '7' }, 'period-nights-integer'],
  ['nights as 7.0', week('rest'), { elapsedNights: 7.0 }],
  ['half a night', week('rest'), { validNights: 6.5 }, 'period-nights-integer'],
  ['a negative number of nights', week('rest'), { validNights: -1 }, 'period-nights-within-window'],
  [
    'a negative number of nights, and no start',
    week('rest'),
    { startDate: '2026-02-30', elapsedNights: -1, validNights: null },
    'period-date period-nights-within-window',
  ],
  [
    'more valid nights than elapsed',
    week('rest', { rating: null }),
    { elapsedNights: 5 },
    'period-nights-within-window',
  ],
  ['more nights than the window', week('rest'), { elapsedNights: 8, validNights: 8 }, 'period-nights-within-window'],
  [
    'valid nights beyond the window, elapsed null',
    week('rest'),
    { elapsedNights: null, validNights: 8 },
    'period-nights-within-window',
  ],
  ['thirty-one nights in a month of thirty-one', month('rest', { date: '2026-08-01' }), {}],
  ['the night of today', thisWeek('rest'), { elapsedNights: 3 }],
  ['the night of tomorrow', thisWeek('rest'), { elapsedNights: 4 }, '?period-nights-after-today'],
  ['a past day as of just after midnight', day('hr', { asOf: '2026-10-15T00:00' }), {}],
  [
    'a completed day one minute before midnight',
    day('activity', { asOf: '2026-10-14T23:59' }),
    { isCompleted: true },
    'period-completed-before-today ?mode-selected-day-is-past',
  ],
  [
    'completed by the date in the pet zone only',
    day('hr', { timezone: 'Asia/Shanghai' }),
    { '/insightContext/asOf': '2026-10-14T20:00:00-07:00', isCompleted: true },
  ],
  ['a window that ended and is still open', day('hr'), { isCompleted: false }, '?period-still-open-after-end'],
  ['a week in progress', thisWeek('activity'), {}],
  [
    'a week in progress that is completed',
    thisWeek('activity'),
    { isCompleted: true },
    'period-completed-before-today',
  ],
  [
    'a week that begins tomorrow',
    week('activity', { asOf: '2026-10-12T09:00' }),
    { '/insightContext/asOf': '2026-10-11T09:00:00+08:00' },
    'period-not-in-future',
  ],
  [
    'a day to come',
    today('hr'),
    { '/insightContext/asOf': '2026-10-13T16:05:00+08:00' },
    'period-not-in-future ?context-observed-after-today',
  ],
  [
    'a week of vitals to come',
    week('hr', { rating: null }),
    { '/insightContext/asOf': '2026-09-01T12:00:00+08:00', isCompleted: false },
    'period-not-in-future',
  ],
  [
    'a week to come that is completed',
    week('rest'),
    { '/insightContext/asOf': '2026-09-01T12:00:00+08:00' },
    'period-not-in-future ?context-snapshot-as-of-differs',
  ],
]
testRows(period, rows, '/period')

const messages: readonly MessageRow[] = [
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
]
testMessages(period, messages, '/period')

period('knows the length of every month', () => {
  for (let monthOfYear = 1; monthOfYear <= 12; monthOfYear++) {
    const date = `2026-${String(monthOfYear).padStart(2, '0')}-15`
    const payload = buildPayload(month('bark', { date }))
    assert.is(payload.period.endDate.slice(8), String(daysInMonth(2026, monthOfYear)))
    assert.equal(validate(payload).errors, [])
  }
})

period.run()
