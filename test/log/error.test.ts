import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeError } from '../../src/log/redact.js'

const errors = suite('errors in the log')

errors('are described with their causes and frames', () => {
  const cause = Object.assign(new TypeError('no memory'), { code: 'ENOMEM' })
  const notes = describeError(new Error('outer', { cause: new RangeError('middle', { cause }) }))
  assert.equal(
    notes.map(({ name, message, code }) => [name, message, code]),
    [
      ['Error', 'outer', undefined],
      ['RangeError', 'middle', undefined],
      ['TypeError', 'no memory', 'ENOMEM'],
    ],
  )
  for (const { frames } of notes) assert.match(frames?.[0] ?? '', /error\.test\.ts:\d+:\d+/)
})

errors('stop at a cycle of causes, and describe a value that is not an error by its type', () => {
  const circle = new Error('circle')
  circle.cause = circle
  assert.is(describeError(circle).length, 4)
  assert.equal(describeError('svc_0123456789'), [{ name: 'string' }])
  assert.equal(
    describeError(new Error('outer', { cause: { secret: 1 } })).map(({ name }) => name),
    ['Error', 'object'],
  )
})

errors('are described without keys and URLs', () => {
  const text = 'svc_0123456789abc at https://host.test/a?signature=1 with sk-proj-0123456789'
  assert.is(describeError(new Error(text))[0]?.message, 'svc_… at [URL] with …')
})

errors('are described without the rest of a long message, and without part of a key at its end', () => {
  const long = new Error(`${'https://host.test/'.repeat(220)} ${'sk-'.repeat(30_000)}`)
  assert.is(describeError(long)[0]?.message, '[URL] …')
})

const quoting = 'Bad text:\n    at the vet with Rex\nat home'
errors('are described without messages that may quote a caller, also in frames and causes', () => {
  const changed = new Error(quoting)
  changed.message = 'changed'
  const notes = describeError(new Error(quoting, { cause: changed }), false)
  assert.is(notes.length, 2)
  assert.not.match(JSON.stringify(notes), /Bad|Rex|home|changed/)
  for (const { frames } of notes) assert.match(frames?.[0] ?? '', /error\.test\.ts:\d+:\d+/)
})

errors.run()
