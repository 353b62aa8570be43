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

failures('have a different sentence for each code and language', () => {
  const sentences = codes.flatMap((code) =>
    ['en-US', 'zh-CN', 'es'].map((locale) => {
      const failure = describeFailure(code, { locale })
      assert.is(failure.code, code)
      assert.match(failure.message, /[.。]$/)
      return failure.message
    }),
  )
  assert.is(new Set(sentences).size, 3 * codes.length)
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
