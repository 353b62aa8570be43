import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { renderChange } from '../../src/reports/copy-check.js'
import { type Paint, plain } from '../../src/runtime/style.js'

const formats = suite('formats of svc insight check')
const change = { before: ' slept poorly mainly.', after: ' had a bad night.', locale: 'en-US' } as const
const marked: Paint = (tone, text) => (tone === 'underline' ? `_${text}_` : text)

formats('writes each side of a change on a line, with marks for spaces at the ends', () => {
  assert.equal(renderChange(change, plain), ['      - ␣slept poorly mainly.', '      + ␣had a bad night.'])
})

formats('underlines the words that differ, with colors', () => {
  assert.equal(renderChange(change, marked), ['      - ␣_slept poorly mainly_.', '      + ␣_had a bad night_.'])
})

formats('does not compare a text that is new or has no language', () => {
  assert.equal(renderChange({ after: 'new', locale: 'es' }, marked), ['      + new'])
  assert.equal(renderChange({ before: 'a', after: 'b' }, marked), ['      - a', '      + b'])
  assert.equal(renderChange({ before: 'a', after: '', locale: 'es' }, marked), ['      - _a_', '      + '])
})

formats.run()
