import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validate } from '../../src/insight/validate.js'
import { buildPayload, changePayload, type PayloadOptions } from '../helpers/payloads.js'
import { day, lastNight, type RuleRow, testRows, week } from './rules/rows.js'

const unknownMembers = suite('unknown members')

const rows: readonly RuleRow[] = [
  [
    'unknown members everywhere',
    week('rest'),
    { '/x': 1, '/period/x': {}, '/metrics/x': [1], '/metrics/nightlyRestDurations/0/x': null },
  ],
  ['a member in snake case', week('hr'), { '/period/valid_nights': 7 }],
  [
    'a member in snake case alone',
    day('activity'),
    { '/metrics/steps': null, '/metrics/active_time': 3, '/metrics/Steps': { steps: 1 } },
  ],
]
testRows(unknownMembers, rows)

const nearNames: readonly [pointer: string, instead: string, PayloadOptions][] = [
  ['/Locale', '/locale', day('hr')],
  ['/period/elapsed_nights', '/period/elapsedNights', day('hr')],
  ['/insightContext/comparison/usualUper', '/insightContext/comparison/usualUpper', day('bark')],
  ['/metrics/activityTime/activityMinuteGoal', '/metrics/activityTime/activityMinutesGoal', day('activity')],
  ['/metrics/night/nightRest/minute', '/metrics/night/nightRest/minutes', lastNight()],
  ['/metrics/dailyNightRestRr', '/metrics/dailyNightRestHr', week('hr')],
]
for (const [pointer, instead, options] of nearNames) {
  unknownMembers(`warns of ${pointer} where ${instead} is missing, and only then`, () => {
    const misnamed = changePayload(buildPayload(options), { [instead]: undefined, [pointer]: null })
    const found = validate(misnamed).warnings.filter(({ rule }) => rule === 'envelope-unknown-member')
    assert.equal(
      found.map(({ path }) => path),
      [pointer],
    )
    const both = changePayload(buildPayload(options), { [pointer]: null, [instead]: null })
    assert.equal(
      validate(both).warnings.filter(({ rule }) => rule === 'envelope-unknown-member'),
      [],
    )
  })
}

unknownMembers.run()
