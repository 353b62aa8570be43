import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validate } from '../../src/insight/validate.js'
import { buildPayload } from '../helpers/payloads.js'
import { day, lastNight, testRows } from './rules/rows.js'

const structure = suite('structure')

testRows(structure, '', [
  [
    'which object a block is',
    lastNight(),
    { '/metrics/night/nightRest': 480 },
    'metrics.night.nightRest is 480, but must be an object with minutes, or null.',
  ],
  [
    'which object is missing',
    day('hr'),
    { '/period': undefined },
    'period is missing; it must be an object with startDate, endDate, timezone and isCompleted.',
  ],
  [
    'which of many members a block has',
    lastNight(),
    { '/metrics/night': 480 },
    'metrics.night is 480, but must be an object with members such as startAt and endAt, or null.',
  ],
  [
    'what kind of number a time of a snapshot is',
    lastNight(),
    { '/insightContext/sourceSnapshot/asOf': '2026-10-14' },
    'insightContext.sourceSnapshot.asOf is "2026-10-14", but must be an integer such as milliseconds since 1970.',
  ],
])

structure('says the same of a wrong payload with 5,000 unknown members before its known ones', () => {
  const wrong = { ...buildPayload(lastNight()), userId: 5, previousPeriod: {} }
  const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]))
  const many = JSON.parse(`{"__proto__": {}, ${JSON.stringify({ ...unknown, ...wrong }).slice(1)}`)
  assert.equal(validate(many), validate(wrong))
  assert.is(validate(wrong).errors.length, 2)
})

structure.run()
