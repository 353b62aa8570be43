import { suite } from 'uvu'
import { day, inContext, inMetrics, type RuleRow, testRows, thisWeek, today, week } from './rows.js'

const localDate = suite('local date rules')

const rows: readonly RuleRow[] = [
  [
    'completed by the date of asOf as written only',
    day('hr', { timezone: 'America/New_York' }),
    { [inContext('asOf')]: '2026-10-15T09:00:00+08:00', '/period/isCompleted': true },
    '?context-as-of-local-date',
  ],
  [
    'a past day by the date of asOf as written only',
    day('hr', { timezone: 'America/New_York' }),
    { [inContext('asOf')]: '2026-10-15T09:00:00+08:00', '/period/isCompleted': false },
    '?context-as-of-local-date',
  ],
  [
    'a week that begins by the date of asOf as written only',
    week('activity', { timezone: 'America/New_York' }),
    {
      [inContext('asOf')]: '2026-10-12T02:00:00Z',
      '/period/isCompleted': false,
      '/suppliedJudgment': null,
      '/metrics': {},
    },
    '?context-as-of-local-date',
  ],
  [
    'today by the date of asOf as written',
    today('bark', { timezone: 'Asia/Shanghai' }),
    { [inContext('asOf')]: '2026-10-14T17:30:00Z', [inContext('observedThrough')]: '2026-10-14T17:20:00Z' },
    '?context-as-of-local-date',
  ],
  [
    'today by the date of asOf as written, with a report of the same time',
    today('bark', { timezone: 'America/New_York' }),
    { [inContext('asOf')]: '2026-10-14T09:00:00+08:00', [inContext('observedThrough')]: '2026-10-14T08:55:00+08:00' },
    '?context-as-of-local-date',
  ],
  [
    'today by the date of asOf as written',
    thisWeek('activity', { timezone: 'America/Los_Angeles' }),
    { [inContext('asOf')]: '2026-10-15T09:00:00+08:00', [inMetrics('activityTime/dailyActivityMinutes/3')]: 12 },
    '?context-as-of-local-date',
  ],
]
testRows(localDate, rows)

localDate.run()
