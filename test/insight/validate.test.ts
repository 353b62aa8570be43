import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validate } from '../../src/insight/validate.js'
import { addPlaceholders, buildPayload, changePayload, combinations } from '../helpers/payloads.js'
import { day, week } from './rules/rows.js'

const validation = suite('validate')

validation('refuses a payload that is not an object', () => {
  for (const value of [null, [], 'x', 1, undefined]) {
    const [{ rule, path } = {}, ...others] = validate(value).errors
    assert.equal([rule, path, others], ['payload-object', '', []], JSON.stringify(value))
  }
})

const zones = ['Asia/Shanghai', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'America/New_York']
/** DST begins or ends in one or another of the zones; months of 28 to 31 days. */
const days = '2026-10-14 2026-03-08 2026-11-01 2026-10-04 2026-04-05 2026-02-11 2024-02-29 2026-12-31'.split(' ')
for (const { metric, viewWindow } of combinations) {
  validation(
    `accepts ${metric} by ${viewWindow} in every zone and month, rated or not, with placeholders or not`,
    () => {
      const places = zones.flatMap((timezone) => days.map((date) => ({ metric, viewWindow, timezone, date })))
      const times = places.flatMap((place) =>
        viewWindow === 'day' ? [place] : [place, { ...place, asOf: `${place.date}T00:00` }],
      )
      for (const options of times.flatMap((each) => [each, { ...each, rating: null }])) {
        const payload = buildPayload(options)
        for (const sent of [payload, addPlaceholders(payload)]) {
          assert.equal(validate(sent), { errors: [], warnings: [] }, JSON.stringify(options))
        }
      }
    },
  )
}

validation('lists violations in the order of the payload', () => {
  const changes = {
    '/schemaVersion': 'v3',
    '/insightContext/mode': 'today',
    '/insightContext/factVersion': undefined,
    '/suppliedJudgment/rating': 'fine',
    '/metrics/dailyNightRestHr/1/date': '2026-10-19',
    '/metrics/dailyNightRestHr/3/sampleCount': -1,
  }
  const paths = validate(changePayload(buildPayload(week('hr')), changes)).errors.map(({ path }) => path)
  assert.equal(paths, Object.keys(changes))
})

validation('does not quote the IDs of pet and owner', () => {
  const secret = 'Mochi-von-und-zu-'.repeat(20)
  const { errors } = validate(changePayload(buildPayload(day('hr')), { '/userId': secret, '/petId': secret }))
  assert.is(errors.length, 2)
  assert.not.match(JSON.stringify(errors), 'Mochi')
})

validation.run()
