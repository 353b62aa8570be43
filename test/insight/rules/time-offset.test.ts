import { suite } from 'uvu'
import { day, inContext, type RuleRow, testRows, today } from './rows.js'

const timeOffset = suite('time offset rules')

const london = { timezone: 'Europe/London', date: '2026-10-25' } as const
const season = '?context-offset-of-season'

const rows: readonly RuleRow[] = [
  ['summer time after the clocks were set back', day('hr', london), at('2026-10-26T09:00:00+01:00'), season],
  ['winter time after the clocks were set back', day('hr', london), at('2026-10-26T09:00:00+00:00')],
  ['summer time before the clocks are set back', day('hr', { timezone: 'Europe/London' }), at('2026-10-15T09:00+01')],
  ['winter time in summer', day('hr', { timezone: 'America/New_York' }), at('2026-10-15T09:00:00-0500'), season],
  ['UTC in summer, where winter is the same', day('hr', { timezone: 'Europe/London' }), at('2026-10-15T09:00:00Z')],
  ['the offset of a server elsewhere', day('hr', london), at('2026-10-26T17:00:00+08:00')],
  ['an offset that the zone had long ago', day('hr'), at('2026-10-15T10:30:00+09:00')],
  ['a half hour of summer', day('hr', { timezone: 'Australia/Lord_Howe' }), at('2026-10-15T10:30:00+10:30'), season],
  [
    'a time that the clocks skip',
    day('hr', { timezone: 'Europe/Madrid', date: '2026-03-28' }),
    at('2026-03-29T02:30:00+01:00'),
    season,
  ],
  [
    'a year far off',
    day('hr', { timezone: 'Europe/Madrid', date: '2051-07-14' }),
    at('2051-07-15T09:00:00+01:00'),
    season,
  ],
  [
    'both times',
    today('hr', { timezone: 'Europe/Madrid' }),
    { ...at('2026-10-14T16:05:00+01:00'), [inContext('observedThrough')]: '2026-10-14T16:00:00+01:00' },
    `${season} ${season}`,
  ],
  [
    'the report alone',
    today('hr', { timezone: 'Europe/Madrid' }),
    { [inContext('observedThrough')]: '2026-10-14T16:00:00+01:00' },
    season,
  ],
  [
    'no time zone',
    day('hr', london),
    { ...at('2026-10-26T09:00:00+01:00'), '/period/timezone': 'x' },
    'period-timezone',
  ],
]
testRows(timeOffset, rows)

function at(asOf: string) {
  return { [inContext('asOf')]: asOf }
}

timeOffset.run()
