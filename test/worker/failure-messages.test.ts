import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeFailure, failureCodes } from '../../src/worker/failure-messages.js'

const failures = suite('failures')
const locales = ['en-US', 'zh-CN', 'es']

failures('have a different sentence for each code and language', () => {
  const sentences = failureCodes.flatMap((code) => locales.map((locale) => describeFailure(code, { locale })))
  for (const { message } of sentences) assert.match(message, /[.。]$/)
  assert.is(new Set(sentences.map(({ message }) => message)).size, 3 * failureCodes.length)
})

failures('sends the caller to the operator, not to another try, if the model is gone', () => {
  for (const locale of locales) {
    const { message } = describeFailure('model_unavailable', { locale })
    assert.not.match(message, /again|new task|重新|de nuevo|otra tarea/)
  }
})

failures('keeps an unknown code, with the text of provider_error', () => {
  const { code, message } = describeFailure('new_code', { locale: 'xx' })
  assert.equal([code, message], ['new_code', describeFailure('provider_error', {}).message])
})

failures.run()
