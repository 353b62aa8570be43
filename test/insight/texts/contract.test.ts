import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate } from '../../../src/insight/index.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { copy } from './say.js'

const texts = suite('texts that the contract shows')

texts('writes the time of observedThrough in the time zone of the pet', () => {
  const payload = changePayload(
    buildPayload({
      metric: 'bark',
      viewWindow: 'day',
      mode: 'today_so_far',
      timezone: 'Asia/Kathmandu',
      asOf: '2026-10-14T17:00',
    }),
    { '/insightContext/observedThrough': '2026-10-14T10:20:59.999Z' },
  )
  assert.match(generate(payload, { copy }).summary, 'As of 4:05 PM,')
  assert.match(generate(payload, { copy, locale: 'es' }).summary, 'Según los datos hasta las 16:05,')
})

texts('writes the time of observedThrough as it is, without an offset', () => {
  const payload = buildPayload({ metric: 'bark', viewWindow: 'day', mode: 'today_so_far', timezone: 'Asia/Kathmandu' })
  const sent = changePayload(payload, { '/insightContext/observedThrough': '2026-10-14T15:59' })
  assert.match(generate(sent, { copy }).summary, 'As of 3:59 PM,')
})

texts.run()
