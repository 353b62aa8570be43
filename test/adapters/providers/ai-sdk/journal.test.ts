import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openJournal } from '../../../../src/adapters/providers/ai-sdk/journal.js'
import { findSecrets } from '../../../../src/adapters/providers/ai-sdk/redact.js'
import { buildCall } from '../../../helpers/provider-calls.js'
import { testTimeouts } from './timeouts.js'

const journals = suite('journal of an attempt')

const open = () =>
  openJournal({
    call: buildCall(),
    model: 'bytedance:clip',
    purchase: { quantity: 1, costMicros: 40_000 },
    price: { micros: 40_000, per: 'clip' },
    secrets: findSecrets('key', 'prompt'),
    limitMs: testTimeouts.completion,
    timeouts: testTimeouts,
  })

journals('can be continued by another attempt only with an order', async () => {
  const journal = open()
  await journal.begin()
  assert.is(journal.canContinue(), false)
  await journal.keep({ id: 'order-1' })
  assert.is(journal.canContinue(), true)
})

journals.run()
