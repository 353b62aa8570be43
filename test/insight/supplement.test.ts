import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate } from '../../src/insight/index.js'
import { buildPayload, changePayload, type PayloadOptions } from '../helpers/payloads.js'
import { loadPlainCopy } from '../helpers/plain-copy.js'

const supplement = suite('supplement')
const copy = await loadPlainCopy()

const wearHint = 'The tracker was worn'
const notWorn = 'The tracker was not worn'
const progress = 'Learning its usual range takes'
const night = { metric: 'rest', viewWindow: 'day', comparison: null, rating: null } as const
const day = { metric: 'hr', viewWindow: 'day', comparison: null, rating: null } as const
const spring = { ...night, date: '2026-03-29', timezone: 'Europe/Madrid' } as const
const autumn = { ...night, date: '2026-10-25', timezone: 'Europe/Madrid' } as const
/** Facts of the night: how long the device was worn, the rest, and more. */
const worn = (wearingMinutes: number, minutes = 90, more: object = {}) => ({
  '/metrics/night/nightRest/minutes': minutes,
  '/metrics/night/wearingMinutes': wearingMinutes,
  ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`/metrics/night/${name}`, value])),
})
const until = (endAt: string) => ({ startAt: '2026-10-13T22:00:00+08:00', endAt })
const known = (validDays: number, requiredDays = 7) => ({ baselineProgress: { validDays, requiredDays } })
const oddNight = { '/metrics/night': { startAt: 'x', endAt: {} } }

type Row = readonly [
  title: string,
  options: PayloadOptions,
  changes: Readonly<Record<string, unknown>>,
  expected: string | undefined,
]
const rows: readonly Row[] = [
  ['a night with the device worn for just under 60 %', night, worn(359), wearHint],
  ['a night with the device worn for 60 %', night, worn(360), undefined],
  ['last night, hardly worn', { ...night, mode: 'last_night' }, worn(100), wearHint],
  ['a night with as much rest as the device was worn', night, worn(150, 150.4), wearHint],
  ['a night with more rest than the device was worn', night, worn(60, 471), undefined],
  ['a night with rest of a device that was not worn', night, worn(0, 150), undefined],
  ['a night without rest of a device that was not worn', night, worn(0, 0), notWorn],
  ['a night that is not over', { ...night, mode: 'today_so_far' }, worn(100), undefined],
  ['a rated night', { ...night, rating: 'Good' }, worn(100), undefined],
  ['a night of 9 hours, worn for just under 60 %', spring, worn(323), wearHint],
  ['a night of 9 hours, worn for 60 %', spring, worn(324), undefined],
  ['a night of 11 hours, worn for just under 60 %', autumn, worn(395), wearHint],
  [
    'a night of 11 hours with its times as numbers, worn for just under 60 %',
    autumn,
    worn(395, 90, {
      startAt: Date.parse('2026-10-24T22:00:00+02:00'),
      endAt: Date.parse('2026-10-25T08:00:00+01:00'),
    }),
    wearHint,
  ],
  ...['22:00:00', '22:00:00.4', '22:00:59'].flatMap((start) =>
    ['08:00:00', '08:00:00.123', '08:00:59.999'].map(
      (end): Row => [
        `a night from ${start} to ${end}, worn for 60 %`,
        night,
        worn(360, 90, { startAt: `2026-10-13T${start}+08:00`, endAt: `2026-10-14T${end}+08:00` }),
        undefined,
      ],
    ),
  ),
  ['a night to 08:00:00.123, worn for less', night, worn(359.9, 90, until('2026-10-14T08:00:00.123+08:00')), wearHint],
  ['a night that another zone wrote: 10 hours', night, worn(359, 90, until('2026-10-14T08:00:00-05:00')), wearHint],
  ['a night without its times, taken as 10 hours', night, worn(359, 90, { startAt: undefined }), wearHint],
  ['a day of vitals with a night of any shape', day, oddNight, undefined],
  ['a week of rest with the night of a day', { ...night, viewWindow: 'week' }, oddNight, undefined],
  ['progress before a wear hint', { ...night, ...known(3) }, worn(100), progress],
  ['progress of an unrated day', { ...day, ...known(3) }, {}, progress],
  ['progress with a range', { ...day, ...known(3), comparison: { usualLower: 60, usualUpper: 80 } }, {}, undefined],
  ['progress of a rated day', { ...day, ...known(3), rating: 'normal' }, {}, undefined],
  ['progress that is done', { ...day, ...known(7) }, {}, undefined],
  ['progress past its end', { ...day, ...known(9) }, {}, undefined],
  ['progress below nothing', { ...day, ...known(-1) }, {}, undefined],
  ['progress in fractions', { ...day, ...known(5.5, 14) }, {}, undefined],
  ['progress of a week', { ...day, ...known(3), viewWindow: 'week' }, {}, undefined],
]

for (const [title, options, changes, expected] of rows) {
  supplement(`${title}: ${expected ?? 'none'}`, () => {
    const { summary } = generate(changePayload(buildPayload(options), changes), { copy })
    const said = [wearHint, notWorn, progress].filter((words) => summary.includes(words))
    assert.equal(said, expected === undefined ? [] : [expected])
  })
}

supplement.run()
