import { day, lastNight, runRules } from './rows.js'

/** The times of a night. */
const timesOf = (startAt: unknown, endAt: unknown) => ({ startAt, endAt })
const [shifted, numeric] = ['?night-time-shifted', '?night-time-number']
runRules('night rules', '/metrics/night', [
  ['the night of vitals of any shape', day('hr'), { '/metrics/night': { startAt: 'yesterday' } }],
  ['a night written in UTC', lastNight(), { startAt: '2026-10-13T14:00:00Z', endAt: '2026-10-14T00:00:00.000Z' }],
  ['a night without offsets', lastNight(), { startAt: '2026-10-13T22:00:00', endAt: '2026-10-14T08:00' }],
  ['a night with no times', lastNight(), { startAt: null, endAt: undefined }],
  ['an hour early', lastNight(), { endAt: '2026-10-14T07:00:00+08:00' }, '?night-time-shifted'],
  ['written on a journey', lastNight(), timesOf('2026-10-13T22:00+02', '2026-10-14T08:00+02'), `${shifted} ${shifted}`],
  ['14 hours off', lastNight(), { endAt: '2026-10-14T22:00:00+08:00' }, '?night-time-shifted'],
  ['14 hours and a minute off', lastNight(), { endAt: '2026-10-14T22:01:00+08:00' }, 'night-time'],
  ['the night after', lastNight(), timesOf('2026-10-14T22:00+08', '2026-10-15T08:00+08'), 'night-time night-time'],
  ['a start at the end', lastNight(), { startAt: '2026-10-14T08:00:00+08:00' }, 'night-time'],
  ['two numbers', lastNight(), timesOf(Date.UTC(2026, 9, 13, 14), Date.UTC(2026, 9, 14)), `${numeric} ${numeric}`],
  ['a start as a number, an hour early', lastNight(), { startAt: Date.UTC(2026, 9, 13, 13) }, `${numeric} ${shifted}`],
  ['an end as a number, a day late', lastNight(), { endAt: Date.parse('2026-10-15T08:00:00+08:00') }, 'night-time'],
  ['a start that is half a millisecond', lastNight(), { startAt: 1791900000000.5 }, 'night-time'],
  ['a start beyond all dates', lastNight(), { startAt: 9e15 }, 'night-time'],
  ['a start that is not a date-time', lastNight(), { startAt: '22:00' }, 'night-time'],
  ['a start that is a number', lastNight(), { startAt: 22 }, 'night-time'],
  [
    'a start after the end at the start',
    lastNight(),
    { startAt: '2026-10-14T09:00:00+08:00' },
    'night.startAt is "2026-10-14T09:00:00+08:00", which is not before night.endAt: 22:00 of the day before 2026-10-14 in Asia/Shanghai was expected.',
  ],
  [
    'an end before the start at the end',
    lastNight(),
    { endAt: '2026-10-13T21:00:00+08:00' },
    'night.endAt is "2026-10-13T21:00:00+08:00", which is not after night.startAt: 08:00 of the day 2026-10-14 in Asia/Shanghai was expected.',
  ],
])
