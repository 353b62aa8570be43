import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate } from '../../src/insight/index.js'
import { buildPayload, changePayload, type PayloadOptions } from '../helpers/payloads.js'
import { loadPlainCopy } from '../helpers/plain-copy.js'

const supplement = suite('supplement')
const copy = await loadPlainCopy()

const wearHint = 'The tracker was worn'
const progress = 'Learning its usual range takes'
const night = { metric: 'rest', viewWindow: 'day', comparison: null } as const
const day = { metric: 'hr', viewWindow: 'day', rating: null, comparison: null } as const
const worn = (wearingMinutes: number, more: object = {}) => ({
  '/metrics/night/nightRest/minutes': 90,
  '/metrics/night/wearingMinutes': wearingMinutes,
  ...more,
})
const halfway = { baselineProgress: { validDays: 3, requiredDays: 7 } }

type Row = readonly [
  title: string,
  options: PayloadOptions,
  changes: Readonly<Record<string, unknown>>,
  expected: string | undefined,
]
const rows: readonly Row[] = [
  ['a night with the device worn for just under 60 %', { ...night, rating: null }, worn(359), wearHint],
  ['a night with the device worn for 60 %', { ...night, rating: null }, worn(360), undefined],
  ['last night, hardly worn', { ...night, rating: null, mode: 'last_night' }, worn(100), wearHint],
  [
    'a night with as much rest as the device was worn',
    { ...night, rating: null },
    worn(150, { '/metrics/night/nightRest/minutes': 150.4 }),
    wearHint,
  ],
  [
    'a night with more rest than the device was worn',
    { ...night, rating: null },
    worn(60, { '/metrics/night/nightRest/minutes': 471 }),
    undefined,
  ],
  [
    'a night with rest of a device that was not worn',
    { ...night, rating: null },
    worn(0, { '/metrics/night/nightRest/minutes': 150 }),
    undefined,
  ],
  [
    'a night without rest of a device that was not worn',
    { ...night, rating: null },
    worn(0, { '/metrics/night/nightRest/minutes': 0 }),
    'The tracker was not worn',
  ],
  ['a night that is not over', { ...night, rating: null, mode: 'today_so_far' }, worn(100), undefined],
  ['a rated night', { ...night, rating: 'Good' }, worn(100), undefined],
  [
    'a night of 9 hours, worn for just under 60 %',
    { ...night, rating: null, date: '2026-03-29', timezone: 'Europe/Madrid' },
    worn(323),
    wearHint,
  ],
  [
    'a night of 9 hours, worn for 60 %',
    { ...night, rating: null, date: '2026-03-29', timezone: 'Europe/Madrid' },
    worn(324),
    undefined,
  ],
  [
    'a night of 11 hours, worn for just under 60 %',
    { ...night, rating: null, date: '2026-10-25', timezone: 'Europe/Madrid' },
    worn(395),
    wearHint,
  ],
  [
    'a night of 11 hours with its times as numbers, worn for just under 60 %',
    { ...night, rating: null, date: '2026-10-25', timezone: 'Europe/Madrid' },
    worn(395, {
      '/metrics/night/startAt': Date.parse('2026-10-24T22:00:00+02:00'),
      '/metrics/night/endAt': Date.parse('2026-10-25T08:00:00+01:00'),
    }),
    wearHint,
  ],
  ...['22:00:00', '22:00:00.4', '22:00:59'].flatMap((start) =>
    ['08:00:00', '08:00:00.123', '08:00:59.999'].map(
      (end): Row => [
        `a night from ${start} to ${end}, worn for 60 %`,
        { ...night, rating: null },
        worn(360, {
          '/metrics/night/startAt': `2026-10-13T${start}+08:00`,
          '/metrics/night/endAt': `2026-10-14T${end}+08:00`,
        }),
        undefined,
      ],
    ),
  ),
  [
    'a night to 08:00:00.123, worn for just under 60 %',
    { ...night, rating: null },
    worn(359.9, { '/metrics/night/endAt': '2026-10-14T08:00:00.123+08:00' }),
    wearHint,
  ],
  [
    'a night whose times another zone wrote, taken as 10 hours',
    { ...night, rating: null },
    worn(359, {
      '/metrics/night/startAt': '2026-10-13T22:00:00+08:00',
      '/metrics/night/endAt': '2026-10-14T08:00:00-05:00',
    }),
    wearHint,
  ],
  [
    'a night without its times, taken as 10 hours',
    { ...night, rating: null },
    worn(359, { '/metrics/night/startAt': undefined }),
    wearHint,
  ],
  ['a day of vitals with a night of any shape', day, { '/metrics/night': { startAt: 'x', endAt: {} } }, undefined],
  [
    'a week of rest with the night of a day',
    { ...night, viewWindow: 'week' },
    { '/metrics/night': { startAt: 'x', endAt: {} } },
    undefined,
  ],
  ['progress before a wear hint', { ...night, rating: null, ...halfway }, worn(100), progress],
  ['progress of an unrated day', { ...day, ...halfway }, {}, progress],
  [
    'progress with a usual range',
    { ...day, ...halfway, comparison: { usualLower: 60, usualUpper: 80 } },
    {},
    undefined,
  ],
  ['progress of a rated day', { ...day, ...halfway, rating: 'normal' }, {}, undefined],
  ['progress that is done', { ...day, baselineProgress: { validDays: 7, requiredDays: 7 } }, {}, undefined],
  ['progress past its end', { ...day, baselineProgress: { validDays: 9, requiredDays: 7 } }, {}, undefined],
  ['progress below nothing', { ...day, baselineProgress: { validDays: -1, requiredDays: 7 } }, {}, undefined],
  ['progress in fractions', { ...day, baselineProgress: { validDays: 5.5, requiredDays: 14 } }, {}, undefined],
  ['progress of a week', { ...day, ...halfway, viewWindow: 'week' }, {}, undefined],
]

for (const [title, options, changes, expected] of rows) {
  supplement(`${title}: ${expected ?? 'none'}`, () => {
    const { summary } = generate(changePayload(buildPayload(options), changes), { copy })
    const said = [wearHint, 'The tracker was not worn', progress].filter((words) => summary.includes(words))
    assert.equal(said, expected === undefined ? [] : [expected])
  })
}

supplement('states consecutive nights from the second on', () => {
  const say = (consecutiveUnusualDays: number) =>
    generate(buildPayload({ ...night, rating: 'Poor', attentionDays: 1, comparison: { consecutiveUnusualDays } }), {
      copy,
    }).summary
  assert.not.match(say(1), 'in a row')
  assert.match(say(2), 'already 2 nights in a row')
})

supplement('omits the advice of a day that does not count as worse, and states only', () => {
  const payload = buildPayload({
    metric: 'activity',
    viewWindow: 'day',
    rating: 'high',
    attentionDays: 1,
    deteriorating: false,
  })
  const { severity, status, summary } = generate(payload, { copy })
  assert.equal([status, severity], ['observation', 'none'])
  assert.not.match(summary, 'calm breaks')
})

supplement('omits the advice of a week that does not count as worse, and keeps attention', () => {
  const payload = buildPayload({
    metric: 'bark',
    viewWindow: 'week',
    rating: 'frequent',
    attentionDays: 2,
    deteriorating: false,
  })
  const { severity, status, summary } = generate(payload, { copy })
  assert.equal([status, severity], ['attention', 'low'])
  assert.not.match(summary, 'sets off')
})

supplement.run()
