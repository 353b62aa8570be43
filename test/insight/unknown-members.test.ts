import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ignoresMembers, validate, validateUnknown } from '../../src/insight/validate.js'
import { buildPayload, changePayload, type PayloadOptions } from '../helpers/payloads.js'
import { day, lastNight, testRows, validateChanged, week } from './rules/rows.js'

const unknownMembers = suite('unknown members')
const pathsOf = (violations: readonly { readonly path: string }[]) => violations.map(({ path }) => path)
const findUnknown = ({ warnings }: ReturnType<typeof validate>) =>
  warnings.filter(({ rule }) => rule === 'envelope-unknown-member')

testRows(unknownMembers, '', [
  ['additions', week('rest'), { '/x': 1, '/period/x': {}, '/metrics/x': [1], '/metrics/nightlyRestDurations/0/x': 1 }],
  ['a member in snake case', week('hr'), { '/period/valid_nights': 7 }],
  ['old names', day('activity'), { '/metrics/steps': null, '/metrics/active_time': 3, '/metrics/Steps': { steps: 1 } }],
])

const nearNames: readonly [pointer: string, instead: string, PayloadOptions][] = [
  ['/Locale', '/locale', day('hr')],
  ['/period/elapsed_nights', '/period/elapsedNights', day('hr')],
  ['/insightContext/comparison/usualUper', '/insightContext/comparison/usualUpper', day('bark')],
  ['/metrics/activityTime/activityMinuteGoal', '/metrics/activityTime/activityMinutesGoal', day('activity')],
  ['/metrics/night/nightRest/minute', '/metrics/night/nightRest/minutes', lastNight()],
  ['/metrics/dailyNightRestRr', '/metrics/dailyNightRestHr', week('hr')],
  ['/insightContext/comparison/percentageChange', '/insightContext/comparison/changePercent', week('hr')],
  ['/insightContext/comparison/max', '/insightContext/comparison/usualUpper', day('bark')],
  ['/insightContext/comparison/consecutiveDays', '/insightContext/comparison/consecutiveUnusualDays', week('hr')],
  ['/judgment', '/suppliedJudgment', day('bark')],
  ['/metrics/barkDurationSecs', '/metrics/barkDurationSeconds', day('bark')],
  ['/metrics/barkHours', '/metrics/barkDurationSeconds', day('bark')],
  ['/metrics/night/nightRest/mins', '/metrics/night/nightRest/minutes', lastNight()],
]
for (const [pointer, instead, options] of nearNames) {
  unknownMembers(`warns of ${pointer} where ${instead} is missing, and only then`, () => {
    const misnamed = changePayload(buildPayload(options), { [instead]: undefined, [pointer]: 3 })
    assert.equal(pathsOf(findUnknown(validate(misnamed))), [pointer])
    assert.equal(findUnknown(validate(changePayload(misnamed, { [instead]: null }))), [])
  })
}

const odd = changePayload(buildPayload(week('bark')), {
  '/avgMinutes': 7,
  '/insightContext/comparison/changePct': 3,
  '/period/elapsed_nights': 7,
  '/metrics/a~1b': {},
  ...Object.fromEntries([2, 3, 5].map((index) => [`/metrics/dailyBarkDurations/${index}/note`, 'x'])),
})
const oddPaths = [
  '/period/elapsed_nights',
  '/insightContext/comparison/changePct',
  '/metrics/dailyBarkDurations/2/note',
  '/metrics/a~01b',
  '/avgMinutes',
]

unknownMembers('are all listed, one finding for the entries of an array', () => {
  const { errors, warnings } = validateUnknown(odd, 'warn')
  assert.equal([errors, pathsOf(warnings)], [[], oddPaths])
  const [misnamed, unknown, entry] = warnings
  assert.match(misnamed?.message ?? '', 'elapsedNights is missing')
  assert.is(unknown?.message, 'insightContext.comparison.changePct is unknown and ignored.')
  assert.match(entry?.message ?? '', 'The same goes for 2 more entries: 3 and 5.')
})

unknownMembers('are errors, or nothing, if the caller says so', () => {
  const { errors, warnings } = validateUnknown(odd, 'error')
  assert.equal([pathsOf(errors), warnings], [oddPaths, []])
  assert.equal(validateUnknown(odd, 'ignore'), { errors: [], warnings: [] })
})

unknownMembers('are not the schema that a payload names to an editor, at its top', () => {
  const payload = changePayload(buildPayload(lastNight()), { '/$schema': 'x' })
  assert.equal(validateUnknown(payload, 'error'), { errors: [], warnings: [] })
  assert.not(ignoresMembers(payload, validate(payload)))
  const { errors } = validateUnknown(changePayload(payload, { '/period/$schema': 'x' }), 'error')
  assert.equal(pathsOf(errors), ['/period/$schema'])
})

unknownMembers('are found in a payload with a time that is not a date', () => {
  const payload = changePayload(buildPayload(lastNight()), { '/metrics/night/endAt': 1e16, '/note': 'x' })
  const { errors, warnings } = validateUnknown(payload, 'warn')
  assert.equal(pathsOf([...errors, ...warnings]), ['/metrics/night/endAt', '/note'])
  assert.ok(ignoresMembers(payload, validate(payload)))
})

unknownMembers('are named if one of them seems to hold the payload, or a string does', () => {
  const payload = buildPayload(day('hr'))
  assert.equal(pathsOf(validateUnknown({ id: 7, body: payload }, 'warn').warnings), ['/body'])
  const found = findUnknown(validate({ id: 7, body: payload }))
  assert.equal(pathsOf(found), ['/body'])
  assert.match(found[0]?.message ?? '', 'seems to hold the payload')
  assert.equal(findUnknown(validate({ body: { text: 'x' } })), [])
  assert.match(validate(JSON.stringify(payload)).errors[0]?.message ?? '', 'It holds JSON: parse it once more.')
})

unknownMembers('do not hide other violations, and are not looked for in a payload that is not an object', () => {
  const broken = changePayload(odd, { '/userId': 1, '/petId': '' })
  assert.equal(pathsOf(validateUnknown(broken, 'ignore').warnings), ['/petId'])
  assert.is(validateUnknown(broken, 'error').errors[0]?.rule, 'envelope-user-id')
  assert.equal(validateUnknown([1], 'warn'), validate([1]))
})

/** Facts under a name that the page does not know: the metrics, the path, and the member that is meant. */
const misnamed: readonly (readonly [PayloadOptions, Record<string, unknown>, path: string, meant: string])[] = [
  [
    day('hrv'),
    { nightRestRmssdAverage: undefined, nightRestHrvAverage: { value: 48 } },
    'nightRestHrvAverage',
    'nightRestRmssdAverage',
  ],
  [lastNight(), { 'night/nightRest': undefined, 'night/rest': { minutes: 480 } }, 'night/rest', 'nightRest'],
  [lastNight(), { '/metrics': { nightRest: { minutes: 480 } } }, 'nightRest', 'night'],
  [
    week('hr'),
    { dailyAllDayRestHr: [12, 13, 14, 15, 16, 17, 18].map((day) => ({ date: `2026-10-${day}`, value: 75 })) },
    'dailyAllDayRestHr/0/value',
    'allDayRestHrAverage',
  ],
  [
    week('bark'),
    { 'dailyBarkDurations/2': { date: '2026-10-14', durationSeconds: 410 } },
    'dailyBarkDurations/2/durationSeconds',
    'barkDurationSeconds',
  ],
  [week('rest'), { nightRest: { minutes: 470 } }, 'nightRest/minutes', 'averageMinutes'],
  [
    day('activity', { rating: null }),
    { '/metric': 'bark', '/suppliedJudgment': null, measurementMode: 'estimated' },
    'activityTime',
    'barkDurationSeconds',
  ],
]
for (const [options, changes, path, meant] of misnamed) {
  unknownMembers(`warns of ${path} in ${options.metric} by ${options.viewWindow}`, () => {
    const found = findUnknown(validateChanged(options, changes, '/metrics'))
    const seen = found.map((warning) => [warning.path, warning.expected])
    assert.equal(seen, [[`/metrics/${path}`, meant]])
  })
}

testRows(unknownMembers, '/metrics', [
  [
    'the pages that have a misplaced member',
    week('activity'),
    { activityTime: { activityMinutes: 210 } },
    'metrics.activityTime.activityMinutes belongs to activity by day; here it is ignored, and averageDailyActivityMinutes is missing.',
    'activityTime/activityMinutes',
  ],
  ['the old names of heart rate in hrv', week('hrv'), { dailyNightRestHr: 'ignored' }],
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
  ['another measure', day('bark'), { '/metrics': { measurementMode: 'estimated', maxBarkDurationSeconds: 9 } }],
  ['other facts where nothing was recorded', day('hr'), { '/metrics': { wearing: { minutes: 574 }, steps: 12 } }],
  [
    'a null main number',
    week('activity'),
    { activityTime: { averageDailyActivityMinutes: null, activityMinutes: 9, dailyActivityMinutes: null } },
  ],
  ['a baseline without a night', day('hr'), { '/metrics': { nightRestHrBaseline: { lower: 62, upper: 84 } } }],
])

unknownMembers.run()
