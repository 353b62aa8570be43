import { suite } from 'uvu'
import { byEvenings, hrNights, restNights } from './daily-facts.js'
import { type MessageRow, type RuleRow, testMessages, testRows, thisWeek, week } from './rows.js'

const nightAverages = suite('night average rules')

const rows: readonly RuleRow[] = [
  [
    'wakes and night activity of any average',
    week('rest'),
    { 'interruptions/averageCount': 99, 'nightActivity/averageMinutes': 999 },
  ],
  ['a night of 3 samples', week('hr'), hrNights(60, [60, 4], [90, 3], [60, 40])],
  ['a night of 3 samples counted', week('hr'), hrNights(70, [60, 4], [90, 3], [60, 40]), 'vital-night-average-agrees'],
  ['within 2 %', week('hr'), hrNights(102, [100, 4], [100, 4])],
  ['beyond 2 %', week('hr'), hrNights(102.1, [100, 4], [100, 4]), 'vital-night-average-agrees'],
  ['within 1 of a small number', week('hr'), hrNights(21, [20, 4], [20, 4])],
  ['nights without that of today', thisWeek('hr'), hrNights(60, [60, 9], [60, 9], [90, 9])],
  ['nights with that of today', thisWeek('hr'), hrNights(70, [60, 9], [60, 9], [90, 9])],
  ['nights of neither', thisWeek('hr'), hrNights(80, [60, 9], [60, 9], [90, 9]), 'vital-night-average-agrees'],
  ['no night with enough samples', week('hr'), hrNights(70, [60, 3]), '?average-without-days'],
  ['a zero over no night', week('hr'), hrNights(0)],
  [
    'a valid night fewer, which one is not said',
    week('hr'),
    { ...hrNights(60, [60, 9], [60, 9], [90, 9]), '/period/validNights': 2 },
    '?vital-valid-nights-differ',
  ],
  [
    'beyond any choice of valid nights',
    week('hr'),
    { ...hrNights(85, [60, 9], [60, 9], [90, 9]), '/period/validNights': 2 },
    'vital-night-average-agrees ?vital-valid-nights-differ',
  ],
  ['deep rest and light movement', week('rest'), restNights(450, 2, [400, 40], [420, 40])],
  ['deep rest alone', week('rest'), restNights(410, 2, [400, 40], [420, 40])],
  ['neither of both', week('rest'), restNights(430, 2, [400, 40], [420, 40]), 'night-rest-average-agrees'],
  ['the better of two nights', week('rest'), restNights(460, 1, [400, 40], [420, 40])],
  [
    'beyond the better of two nights',
    week('rest'),
    restNights(462, 1, [400, 40], [420, 40]),
    'night-rest-average-agrees',
  ],
  ['rest over no night', week('rest'), restNights(450, null), '?average-without-days'],
  [
    'rest over no night and no day',
    week('rest', { asOf: '2026-10-12T12:00' }),
    { ...restNights(450, null), dailyDayRestMinutes: undefined, dayRest: { averageMinutes: 100 } },
    '?average-without-days ?average-without-days',
  ],
  [
    'nights without enough samples, one of them to come',
    thisWeek('hr'),
    hrNights(70, [60, 3], [null, 0], [null, 0], [60, 3]),
    'series-future-value',
  ],
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
    [
      `nights without that of today, valid nights null, asOf ${asOf}`,
      week('hr', { asOf }),
      hrNights(67.33, [60, 9], [62, 9], [80, 9], [90, 9]),
    ],
    [
      `nights without that of today, valid nights with it, asOf ${asOf}`,
      week('hr', { asOf }),
      { ...hrNights(67.33, [60, 9], [62, 9], [80, 9], [90, 9]), '/period/validNights': 4 },
    ],
    [
      `valid nights without that of today, asOf ${asOf}`,
      week('hr', { asOf }),
      { ...hrNights(73, [60, 9], [62, 9], [80, 9], [90, 9]), '/period/validNights': 3 },
    ],
    [
      `rest without the night of today, asOf ${asOf}`,
      week('rest', { asOf }),
      restNights(440, null, [400, 40], [400, 40], [400, 40], [200, 20]),
    ],
    [
      `nights without a reading, asOf ${asOf}`,
      week('hr', { asOf }),
      hrNights(64, [60, 9], [62, 9], [80, 9], [90, 9]),
      'vital-night-average-agrees',
    ],
  ]),
  [
    'a zero over no night but that of today',
    week('hr', { asOf: '2026-10-12T12:00' }),
    { ...hrNights(0, [68, 9]), '/period/validNights': 0 },
  ],
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
      `64 with a night of ${sampleCount} samples`,
      week('hr'),
      { ...hrNights(64, [60, 9], [76, 9]), 'dailyNightRestHr/1/sampleCount': sampleCount },
      'vital-night-average-agrees',
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
    'one or two valid nights where one has no sample count',
    week('hr'),
    { ...hrNights(60, [60, 9], [60, 9]), 'dailyNightRestHr/1/sampleCount': null, '/period/validNights': 2 },
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
      { ...hrNights(60, [60, 9], [60, 9], [90, 9]), ...changes },
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
      { ...hrNights(60, [60, 9], [60, 9], [90, 9]), '/period/validNights': validNights },
      broken,
    ],
  ),
  [
    'a night to come, with its average',
    thisWeek('hr'),
    { 'dailyNightRestHr/5/nightRestHrAverage': 300, 'dailyNightRestHr/5/sampleCount': 9 },
    'series-future-value',
  ],
  [
    'a night to come in its average',
    thisWeek('hr'),
    { ...hrNights(100, [60, 9], [60, 9], [60, 9], [180, 9], [180, 9]), 'dailyNightRestHr/4': null },
    'series-future-value',
  ],
]
testRows(nightAverages, rows, '/metrics')

const messages: readonly MessageRow[] = [
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
]
testMessages(nightAverages, messages, '/metrics')

nightAverages.run()
