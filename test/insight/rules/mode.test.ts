import { day, lastNight, month, runRules, today, week } from './rows.js'

/** The times of a page, to the minute. */
const times = (asOf: string, observedThrough?: string) => ({ asOf, observedThrough })
const notToday = 'mode-today-is-today'
runRules('mode rules', '/insightContext', [
  ['no mode', today('hr'), { mode: undefined }, 'context-mode'],
  ['today, written in another zone', today('hr'), { asOf: '2026-10-14T01:05:00-07:00' }],
  ['asOf in UTC', today('bark', { timezone: 'US/Eastern' }), times('2026-10-15T01:30Z', '2026-10-15T01:20Z')],
  ['today of yesterday', today('bark'), times('2026-10-15T16:05+08', '2026-10-15T16:00+08'), 'mode-today-is-today'],
  ['as written', today('bark', { timezone: 'US/Pacific' }), times('2026-10-15T07:30Z', '2026-10-15T07:20Z'), notToday],
  ['last report', today('bark'), times('2026-10-15T00:00:30+08', '2026-10-14T23:59+08'), '?mode-today-by-report-time'],
  ['last night before 08:00', lastNight({ asOf: '2026-10-14T07:10' }), {}],
  ['rest of today before 08:00', day('rest', { mode: 'today_so_far', asOf: '2026-10-14T07:10' }), {}],
  ['rest of today in the evening', day('rest', { mode: 'today_so_far', asOf: '2026-10-14T22:10' }), {}],
  ['a past night', lastNight(), times('2026-10-16T09:05+08'), 'mode-today-is-today ?context-snapshot-as-of-differs'],
  ['last night for bark', today('bark'), { mode: 'last_night' }, 'mode-last-night-rest-only'],
  ['last night in a week of rest', week('rest'), { mode: 'last_night' }, 'mode-fits-window'],
  ['last night in a week of hr', week('hr'), { mode: 'last_night' }, 'mode-fits-window'],
  ['a month', month('bark'), { mode: 'today_so_far', observedThrough: '2026-11-01T10:00+08' }, 'mode-fits-window'],
  ['today selected for hrv', day('hrv', { asOf: '2026-10-14T12:00' }), {}, 'mode-vitals-today-so-far'],
  ['today selected for rest', day('rest', { asOf: '2026-10-14T12:00' }), {}, '?mode-selected-day-is-past'],
  ['today selected for activity', day('activity', { asOf: '2026-10-14T12:00' }), {}, '?mode-selected-day-is-past'],
  ['today of yesterday, without a report', today('bark'), times('2026-10-15T16:05+08'), 'mode-today-is-today'],
  ['today in a week', week('hr'), { mode: 'today_so_far' }, 'mode-fits-window'],
  ['a bad mode', day('hr'), { mode: 'last_day', '/suppliedJudgment/rating': 'fine' }, 'context-mode judgment-rating'],
  [
    'the date of asOf in the zone of the pet',
    day('hr', { asOf: '2026-10-14T12:00' }),
    { asOf: '2026-10-13T23:05:00-09:00' },
    'insightContext.mode is "selected_window", which is for a past day, but the day is 2026-10-14 and asOf is 2026-10-13T23:05:00-09:00, which is 2026-10-14 in Asia/Shanghai: today is "today_so_far".',
    'mode',
  ],
])
