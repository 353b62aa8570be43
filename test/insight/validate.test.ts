import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validate } from '../../src/insight/validate.js'
import { addPlaceholders, buildPayload, changePayload, combinations } from '../helpers/payloads.js'
import { day, week } from './rules/rows.js'

const validation = suite('validate')

for (const [name, value] of Object.entries({
  null: null,
  'an array': [],
  'a text': 'x',
  'a number': 1,
  nothing: undefined,
})) {
  validation(`refuses ${name} as a payload`, () => {
    assert.equal(
      validate(value).errors.map(({ rule, path }) => [rule, path]),
      [['payload-object', '']],
    )
  })
}

const zones = ['Asia/Shanghai', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'America/New_York']
/** DST begins or ends in one or another of the zones; months of 28 to 31 days. */
const days = [
  '2026-10-14',
  '2026-03-08',
  '2026-11-01',
  '2026-10-04',
  '2026-04-05',
  '2026-02-11',
  '2024-02-29',
  '2026-12-31',
]
for (const { metric, viewWindow } of combinations) {
  validation(
    `accepts ${metric} by ${viewWindow} in every zone and month, rated or not, with placeholders or without`,
    () => {
      for (const timezone of zones) {
        for (const date of days) {
          for (const asOf of [undefined, viewWindow === 'day' ? undefined : `${date}T00:00`]) {
            for (const rating of [undefined, null]) {
              const payload = buildPayload({
                metric,
                viewWindow,
                timezone,
                date,
                ...(asOf && { asOf }),
                ...(rating === null && { rating }),
              })
              for (const sent of [payload, addPlaceholders(payload)]) {
                assert.equal(validate(sent), { errors: [], warnings: [] }, `${timezone} ${date} ${asOf}`)
              }
            }
          }
        }
      }
    },
  )
}

validation('lists violations in the order of the payload', () => {
  const payload = changePayload(buildPayload(week('hr')), {
    '/metrics/dailyNightRestHr/3/sampleCount': -1,
    '/metrics/dailyNightRestHr/1/date': '2026-10-19',
    '/suppliedJudgment/rating': 'fine',
    '/schemaVersion': 'v3',
    '/insightContext/factVersion': undefined,
    '/insightContext/mode': 'today',
  })
  assert.equal(
    validate(payload).errors.map(({ path }) => path),
    [
      '/schemaVersion',
      '/insightContext/mode',
      '/insightContext/factVersion',
      '/suppliedJudgment/rating',
      '/metrics/dailyNightRestHr/1/date',
      '/metrics/dailyNightRestHr/3/sampleCount',
    ],
  )
})

validation('does not quote the IDs of pet and owner', () => {
  const secret = 'Mochi-von-und-zu-'.repeat(20)
  const { errors } = validate(changePayload(buildPayload(day('hr')), { '/userId': secret, '/petId': secret }))
  assert.is(errors.length, 2)
  assert.not.match(JSON.stringify(errors), 'Mochi')
})

validation.run()
