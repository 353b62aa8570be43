import { suite } from 'uvu'
import { day, lastNight, type MessageRow, month, type RuleRow, testMessages, testRows, today, week } from './rows.js'

const mode = suite('mode rules')

const rows: readonly RuleRow[] = [
  ['the mode recent_complete_days', week('activity'), { mode: 'recent_complete_days' }, 'context-mode'],
  ['no mode', today('hr'), { mode: undefined }, 'context-mode'],
  ['today, written in another zone', today('hr'), { asOf: '2026-10-14T01:05:00-07:00' }],
  [
    'asOf in UTC, dates of the pet',
    today('bark', { timezone: 'America/New_York' }),
    { asOf: '2026-10-15T01:30:00Z', observedThrough: '2026-10-15T01:20:00Z' },
  ],
  [
    'today of yesterday',
    today('bark'),
    { asOf: '2026-10-15T16:05:00+08:00', observedThrough: '2026-10-15T16:00:00+08:00' },
    'mode-today-is-today',
  ],
  [
    'today by the written date',
    today('bark', { timezone: 'America/Los_Angeles' }),
    { asOf: '2026-10-15T07:30:00Z', observedThrough: '2026-10-15T07:20:00Z' },
    'mode-today-is-today',
  ],
  [
    'today by the latest report',
    today('bark'),
    { asOf: '2026-10-15T00:00:30+08:00', observedThrough: '2026-10-14T23:59:00+08:00' },
    '?mode-today-by-report-time',
  ],
  ['last night before 08:00', lastNight({ asOf: '2026-10-14T07:10' }), {}],
  ['rest of today before 08:00', day('rest', { mode: 'today_so_far', asOf: '2026-10-14T07:10' }), {}],
  ['rest of today in the evening', day('rest', { mode: 'today_so_far', asOf: '2026-10-14T22:10' }), {}],
  [
    'last night of a past day',
    lastNight(),
    { asOf: '2026-10-16T09:05:00+08:00' },
    'mode-today-is-today ?context-snapshot-as-of-differs',
  ],
  ['last night for bark', today('bark'), { mode: 'last_night' }, 'mode-last-night-rest-only'],
  ['last night in a week of rest', week('rest'), { mode: 'last_night' }, 'mode-fits-window'],
  ['last night in a week of hr', week('hr'), { mode: 'last_night' }, 'mode-fits-window'],
  [
    'today in a month',
    month('bark'),
    { mode: 'today_so_far', observedThrough: '2026-11-01T10:00:00+08:00' },
    'mode-fits-window',
  ],
  ['today selected for hrv', day('hrv', { asOf: '2026-10-14T12:00' }), {}, 'mode-vitals-today-so-far'],
  ['today selected for rest', day('rest', { asOf: '2026-10-14T12:00' }), {}, '?mode-selected-day-is-past'],
  ['today selected for activity', day('activity', { asOf: '2026-10-14T12:00' }), {}, '?mode-selected-day-is-past'],
  [
    'today of yesterday, without a report',
    today('bark'),
    { asOf: '2026-10-15T16:05:00+08:00', observedThrough: undefined },
    'mode-today-is-today',
  ],
  ['today in a week', week('hr'), { mode: 'today_so_far' }, 'mode-fits-window'],
  [
    'a bad rating with a bad mode',
    day('hr'),
    { mode: 'last_day', '/suppliedJudgment/rating': 'fine' },
    'context-mode judgment-rating',
  ],
]
testRows(mode, rows, '/insightContext')

const messages: readonly MessageRow[] = [
  [
    'the date of asOf in the zone of the pet',
    day('hr', { asOf: '2026-10-14T12:00' }),
    { asOf: '2026-10-13T23:05:00-09:00' },
    'insightContext.mode is "selected_window", which is for a past day, but the day is 2026-10-14 and asOf is 2026-10-13T23:05:00-09:00, which is 2026-10-14 in Asia/Shanghai: today is "today_so_far".',
    'mode',
  ],
]
testMessages(mode, messages, '/insightContext')

mode.run()
