import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validate } from '../../src/insight/validate.js'
import { buildPayload, changePayload, type PayloadOptions } from '../helpers/payloads.js'
import { day, inMetrics, lastNight, type RuleRow, testRows, week } from './rules/rows.js'

const misplacedMembers = suite('misplaced members')

/** Facts under a name that the page does not know, and the member that is meant. */
const misnamed: readonly (readonly [
  options: PayloadOptions,
  changes: Readonly<Record<string, unknown>>,
  path: string,
  meant: string,
])[] = [
  [
    day('hrv'),
    { [inMetrics('nightRestRmssdAverage')]: undefined, [inMetrics('nightRestHrvAverage')]: { value: 48 } },
    inMetrics('nightRestHrvAverage'),
    'nightRestRmssdAverage',
  ],
  [
    lastNight(),
    { [inMetrics('night/nightRest')]: undefined, [inMetrics('night/rest')]: { minutes: 480 } },
    inMetrics('night/rest'),
    'nightRest',
  ],
  [lastNight(), { '/metrics': { nightRest: { minutes: 480 } } }, inMetrics('nightRest'), 'night'],
  [
    week('hr'),
    {
      [inMetrics('dailyAllDayRestHr')]: ['12', '13', '14', '15', '16', '17', '18'].map((date) => ({
        date: `2026-10-${date}`,
        value: 75,
        sampleCount: 88,
      })),
    },
    inMetrics('dailyAllDayRestHr/0/value'),
    'allDayRestHrAverage',
  ],
  [
    week('activity'),
    { [inMetrics('activityTime')]: { activityMinutes: 210 } },
    inMetrics('activityTime/activityMinutes'),
    'averageDailyActivityMinutes',
  ],
  [
    week('bark'),
    { [inMetrics('dailyBarkDurations/2')]: { date: '2026-10-14', durationSeconds: 410 } },
    inMetrics('dailyBarkDurations/2/durationSeconds'),
    'barkDurationSeconds',
  ],
  [week('rest'), { [inMetrics('nightRest')]: { minutes: 470 } }, inMetrics('nightRest/minutes'), 'averageMinutes'],
  [
    day('activity', { rating: null }),
    { '/metric': 'bark', '/suppliedJudgment': null, [inMetrics('measurementMode')]: 'estimated' },
    inMetrics('activityTime'),
    'barkDurationSeconds',
  ],
]
for (const [options, changes, path, meant] of misnamed) {
  misplacedMembers(`warns of ${path} in ${options.metric} by ${options.viewWindow}`, () => {
    const { warnings } = validate(changePayload(buildPayload(options), changes))
    const found = warnings.filter(({ rule }) => rule === 'envelope-unknown-member')
    assert.equal(
      found.map((warning) => [warning.path, warning.expected]),
      [[path, meant]],
    )
  })
}

misplacedMembers('names the pages that have a misplaced member', () => {
  const { warnings } = validate(
    changePayload(buildPayload(week('activity')), { [inMetrics('activityTime')]: { activityMinutes: 210 } }),
  )
  assert.equal(
    warnings.map(({ message }) => message),
    [
      'metrics.activityTime.activityMinutes is of activity by day and ignored, and averageDailyActivityMinutes is missing here.',
    ],
  )
})

const harmless: readonly RuleRow[] = [
  ['the old names of heart rate in hrv', week('hrv'), { [inMetrics('dailyNightRestHr')]: 'ignored' }],
  [
    'placeholders without numbers',
    day('hr'),
    {
      '/metrics': {
        nightRestHrBaseline: { status: 'unavailable', lower: null },
        nightRestHr: { value: null, sampleCount: 0 },
        dailyNightRest: [],
        hourlyRestHr: Array.from({ length: 24 }, (_, hour) => ({ at: String(hour), value: null })),
      },
    },
  ],
  [
    'another measure of barking',
    day('bark'),
    { '/metrics': { measurementMode: 'estimated', maxBarkDurationSeconds: 9 } },
  ],
  ['other facts where nothing was recorded', day('hr'), { '/metrics': { wearing: { minutes: 574 }, steps: 12 } }],
  [
    'a null main number',
    week('activity'),
    {
      [inMetrics('activityTime')]: {
        averageDailyActivityMinutes: null,
        activityMinutes: 9,
        dailyActivityMinutes: null,
      },
    },
  ],
  ['a baseline without a night', day('hr'), { '/metrics': { nightRestHrBaseline: { lower: 62, upper: 84 } } }],
]
testRows(misplacedMembers, harmless)

misplacedMembers.run()
