import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate, validate } from '../../../src/insight/index.js'
import { metrics } from '../../../src/insight/types.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { copy, sayAll } from './say.js'

const texts = suite('texts without records')

texts('says of a page of today whose last report is from the day before that nothing has been recorded yet', () => {
  for (const metric of metrics) {
    const today = buildPayload({
      metric,
      viewWindow: 'day',
      name: 'Rex',
      mode: 'today_so_far',
      asOf: '2026-10-14T00:05',
    })
    const { observedThrough } = today.insightContext
    const offset = observedThrough?.slice(19) ?? ''
    const late = changePayload(today, { '/insightContext/observedThrough': `2026-10-13T23:55:00${offset}` })
    assert.equal(validate(late).errors, [], metric)
    assert.equal(sayAll(late), {
      en: 'Nothing has been recorded for Rex yet today.',
      es: 'Hoy no se ha registrado nada de Rex hasta ahora.',
      zh: '今天还没有Rex的记录。',
    })
    const { status } = generate(late, { copy })
    assert.is(status, 'insufficient_data')
    const inTime = changePayload(today, { '/insightContext/observedThrough': `2026-10-14T00:01:00${offset}` })
    assert.match(sayAll(inTime).en, '12:01 AM')
  }
})

texts.run()
