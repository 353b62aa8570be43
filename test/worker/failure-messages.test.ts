import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeFailure } from '../../src/worker/failure-messages.js'

const failures = suite('failures')
const codes = [
  'internal_error',
  'timed_out',
  'provider_error',
  'content_refused',
  'rate_limited',
  'provider_unauthorized',
  'model_unavailable',
  'model_removed',
]

for (const code of codes) {
  failures(`describes ${code} in three languages`, () => {
    const sentences = ['en-US', 'zh-CN', 'es'].map((locale) => describeFailure(code, { locale }).message)
    assert.is(new Set(sentences).size, 3)
    for (const sentence of sentences) assert.match(sentence, /[.。]$/)
    assert.is(describeFailure(code, { locale: 'en-US' }).code, code)
  })
}

failures('has a different sentence for each code', () => {
  assert.is(new Set(codes.map((code) => describeFailure(code, {}).message)).size, codes.length)
})

failures('sends the caller to the operator, not to another try, if the model is gone', () => {
  for (const locale of ['en-US', 'zh-CN', 'es']) {
    assert.not.match(
      describeFailure('model_unavailable', { locale }).message,
      /again|new task|重新|de nuevo|otra tarea/,
    )
  }
})

failures('keeps an unknown code, with the text of provider_error', () => {
  const { code, message } = describeFailure('new_code', { locale: 'xx' })
  assert.is(code, 'new_code')
  assert.is(message, describeFailure('provider_error', {}).message)
})

failures.run()
