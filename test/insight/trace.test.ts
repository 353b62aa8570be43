import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sayIn } from '../../src/insight/say.js'
import { traceTexts } from '../../src/insight/trace.js'

const tracing = suite('traceTexts')
const copy = {
  ruleVersion: 'test-1',
  messages: { 'zh-CN': {}, 'en-US': { WHOLE: ({ part }) => `It is ${part}.`, PART: () => 'here' }, es: {} },
} satisfies Parameters<typeof traceTexts>[0]

tracing('notes each text with its values and its result, innermost first', () => {
  const { result, uses } = traceTexts(copy, (traced) => {
    const say = sayIn(traced, 'en-US')
    return say('WHOLE', { part: say('PART') })
  })
  assert.is(result, 'It is here.')
  assert.equal(uses, [
    { id: 'PART', values: {}, text: 'here' },
    { id: 'WHOLE', values: { part: 'here' }, text: 'It is here.' },
  ])
})

for (const id of ['GONE', 'constructor']) {
  tracing(`notes ${id}, which the catalog lacks, as a text that says nothing`, () => {
    const { result, uses } = traceTexts(copy, (traced) => sayIn(traced, 'es')(id))
    assert.is(result, '')
    assert.equal(uses, [{ id, values: {}, text: '' }])
  })
}

tracing.run()
