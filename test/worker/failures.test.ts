import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeFailure } from '../../src/worker/failures.js'

const failures = suite('failures')
const codes = [
  'internal_error',
  'timed_out',
  'provider_error',
  'content_refused',
  'rate_limited',
  'provider_unauthorized',
  'model_removed',
]

for (const code of codes) {
  failures(`tells people of ${code} in three languages`, () => {
    const sentences = ['en-US', 'zh-CN', 'es'].map((locale) => describeFailure(code, { locale }).message)
    assert.is(new Set(sentences).size, 3)
    for (const sentence of sentences) assert.match(sentence, /[.。]$/)
    assert.is(describeFailure(code, { locale: 'en-US' }).code, code)
  })
}

failures('has a sentence of its own for each code', () => {
  assert.is(new Set(codes.map((code) => describeFailure(code, {}).message)).size, codes.length)
})

failures('keeps a code it does not know, in the words of a provider error', () => {
  const { code, message } = describeFailure('new_code', { locale: 'xx' })
  assert.is(code, 'new_code')
  assert.is(message, describeFailure('provider_error', {}).message)
})

failures.run()
