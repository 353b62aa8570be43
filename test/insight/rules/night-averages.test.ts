import { byEvenings, hrNights, restNights } from './daily-facts.js'
import { type RuleRow, runRules, thisWeek, week } from './rows.js'

const [agrees, differ, future] = ['vital-night-average-agrees', '?vital-valid-nights-differ', 'series-future-value']
const restAgrees = 'night-rest-average-agrees'
const counted = (validNights: unknown) => ({ '/period/validNights': validNights })
const three = [60, 60, 90].map((value) => [value, 9] as const)
const four = [60, 62, 80, 90].map((value) => [value, 9] as const)
runRules('night average rules', '/metrics', [
  ['wakes and movement', week('rest'), { 'interruptions/averageCount': 99, 'nightActivity/averageMinutes': 999 }],
  ['a night of 3 samples', week('hr'), hrNights(60, [60, 4], [90, 3], [60, 40])],
  ['a night of 3 samples counted', week('hr'), hrNights(70, [60, 4], [90, 3], [60, 40]), 'vital-night-average-agrees'],
  ['within 2 %', week('hr'), hrNights(102, [100, 4], [100, 4])],
  ['beyond 2 %', week('hr'), hrNights(102.1, [100, 4], [100, 4]), 'vital-night-average-agrees'],
  ['within 1 of a small number', week('hr'), hrNights(21, [20, 4], [20, 4])],
  ['nights without that of today', thisWeek('hr'), hrNights(60, ...three)],
  ['nights with that of today', thisWeek('hr'), hrNights(70, [60, 9], [60, 9], [90, 9])],
  ['nights of neither', thisWeek('hr'), hrNights(80, [60, 9], [60, 9], [90, 9]), 'vital-night-average-agrees'],
  ['no night with enough samples', week('hr'), hrNights(70, [60, 3]), '?average-without-days'],
  ['a zero over no night', week('hr'), hrNights(0)],
  ['a valid night fewer', week('hr'), { ...hrNights(60, ...three), ...counted(2) }, differ],
  ['beyond a choice', week('hr'), { ...hrNights(85, ...three), ...counted(2) }, `${agrees} ${differ}`],
  ['deep rest and light movement', week('rest'), restNights(450, 2, [400, 40], [420, 40])],
  ['deep rest alone', week('rest'), restNights(410, 2, [400, 40], [420, 40])],
  ['neither of both', week('rest'), restNights(430, 2, [400, 40], [420, 40]), 'night-rest-average-agrees'],
  ['the better of two nights', week('rest'), restNights(460, 1, [400, 40], [420, 40])],
  ['beyond the better one', week('rest'), restNights(462, 1, [400, 40], [420, 40]), restAgrees],
  ['rest over no night', week('rest'), restNights(450, null), '?average-without-days'],
  [
    'rest over no night and no day',
    week('rest', { asOf: '2026-10-12T12:00' }),
    { ...restNights(450, null), dailyDayRestMinutes: undefined, dayRest: { averageMinutes: 100 } },
    '?average-without-days ?average-without-days',
  ],
  ['nights of few samples', thisWeek('hr'), hrNights(70, [60, 3], [null, 0], [null, 0], [60, 3]), future],
  ...([390, 400, 410, 420] as const).map(
    (average): RuleRow => [
      `an average of ${average} over nights called by the evening before`,
      thisWeek('rest'),
      { ...restNights(average, null, [380, 0], [400, 0], [420, 0], [440, 0]), ...byEvenings },
      average === 420 ? 'night-rest-average-agrees' : '',
    ],
  ),
  // The date of asOf has two readings: in the pet's time zone, and in the offset it is written with.
  ...(['2026-10-15T06:30:00+08:00', '2026-10-14T22:30:00Z'] as const).flatMap((asOf): readonly RuleRow[] => [
    [`nights before ${asOf}`, week('hr', { asOf }), hrNights(67.33, ...four)],
    [`four nights before ${asOf}`, week('hr', { asOf }), { ...hrNights(67.33, ...four), ...counted(4) }],
    [`three nights before ${asOf}`, week('hr', { asOf }), { ...hrNights(73, ...four), ...counted(3) }],
    [`rest before ${asOf}`, week('rest', { asOf }), restNights(440, null, [400, 40], [400, 40], [400, 40], [200, 20])],
    [`nights unlike ${asOf}`, week('hr', { asOf }), hrNights(64, ...four), agrees],
  ]),
  ['a zero over the last night', week('hr', { asOf: '2026-10-12T12:00' }), { ...hrNights(0, [68, 9]), ...counted(0) }],
  ['nights as they were before midnight', week('hr', { asOf: '2026-10-14T00:05' }), hrNights(60, [60, 9], [90, 9])],
  ...([null, undefined] as const).flatMap((sampleCount): readonly RuleRow[] => [
    ...([68, 60] as const).map(
      (average): RuleRow => [
        `${average} with a night of ${sampleCount} samples`,
        week('hr'),
        {
          ...hrNights(average, [60, 9], [76, 9], [60, 9]),
          'dailyNightRestHr/1/sampleCount': sampleCount,
          'dailyNightRestHr/2': null,
        },
      ],
    ),
    [
      `64 with ${sampleCount} samples`,
      week('hr'),
      { ...hrNights(64, [60, 9], [76, 9]), 'dailyNightRestHr/1/sampleCount': sampleCount },
      agrees,
    ],
    [
      `some of the nights of ${sampleCount} samples`,
      week('hr'),
      {
        ...hrNights(66, [60, 9], [72, 9], [90, 9]),
        'dailyNightRestHr/1/sampleCount': sampleCount,
        'dailyNightRestHr/2/sampleCount': sampleCount,
      },
    ],
  ]),
  [
    'two valid nights, or one',
    week('hr'),
    { ...hrNights(60, [60, 9], [60, 9]), 'dailyNightRestHr/1/sampleCount': null, ...counted(2) },
  ],
  ...([460, 470, 400, 407] as const).map(
    (average): RuleRow => [
      `an average of ${average} with a night without light movement`,
      week('rest'),
      {
        ...restNights(average, null, [400, 70], [414, 46], [400, 70]),
        'nightlyRestDurations/1/lightMovementMinutes': null,
        'nightlyRestDurations/2': null,
      },
      average === 460 ? 'night-rest-average-agrees' : '',
    ],
  ),
  ...(
    [
      ['asOf on 30 February', { '/insightContext/asOf': '2026-02-30T12:00:00+08:00' }, 'context-as-of'],
      ['no time zone', { '/period/timezone': undefined }, 'period-timezone'],
      ['no context', { '/insightContext': undefined }, 'context-required'],
    ] as const
  ).map(
    ([what, changes, broken]): RuleRow => [
      `${what} with nights without that of today`,
      thisWeek('hr'),
      { ...hrNights(60, ...three), ...changes },
      broken,
    ],
  ),
  ...(
    [
      [32, 'period-nights-within-window'],
      [-1, 'period-nights-within-window'],
      [2.5, 'period-nights-integer'],
      [undefined, 'period-nights-required'],
    ] as const
  ).map(
    ([validNights, broken]): RuleRow => [
      `validNights ${validNights} with the better of two nights`,
      week('hr'),
      { ...hrNights(60, ...three), ...counted(validNights) },
      broken,
    ],
  ),
  [
    'a night to come',
    thisWeek('hr'),
    { 'dailyNightRestHr/5': { date: '2026-10-17', nightRestHrAverage: 300, sampleCount: 9 } },
    future,
  ],
  [
    'one in an average',
    thisWeek('hr'),
    { ...hrNights(100, [60, 9], [60, 9], [60, 9], [180, 9], [180, 9]), 'dailyNightRestHr/4': null },
    future,
  ],
  [
    'one night in the singular',
    week('hr'),
    hrNights(70, [54.66, 4]),
    'nightRestHrAverage.value is 70, but the 1 night with at least 4 samples averages 54.66; within 1.09 of that was expected.',
    'nightRestHrAverage/value',
  ],
  [
    'the nights that may or may not count',
    week('hr'),
    { ...hrNights(300, [60, 9], [64, 9]), 'dailyNightRestHr/0/sampleCount': null },
    'nightRestHrAverage.value is 300, but the 2 nights with at least 4 samples, or no number of samples, average 62; within 1.24 of that was expected.',
    'nightRestHrAverage/value',
  ],
])
