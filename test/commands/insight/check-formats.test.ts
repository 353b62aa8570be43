import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { renderChange } from '../../../src/commands/insight/check-formats.js'
import { type Paint, plain } from '../../../src/commands/output/style.js'

const formats = suite('formats of svc insight check')
const change = { before: ' slept poorly mainly.', after: ' had a bad night.', locale: 'en-US' } as const
const marked: Paint = (tone, text) => (tone === 'underline' ? `_${text}_` : text)

formats('a change is a line each, with marks for spaces at the ends', () => {
  assert.equal(renderChange(change, plain), ['      - ␣slept poorly mainly.', '      + ␣had a bad night.'])
})

formats('where there are colours, the words that differ are underlined', () => {
  assert.equal(renderChange(change, marked), ['      - ␣_slept poorly mainly_.', '      + ␣_had a bad night_.'])
})

formats('what is new alone, or has no language, has nothing to compare', () => {
  assert.equal(renderChange({ after: 'new', locale: 'es' }, marked), ['      + new'])
  assert.equal(renderChange({ before: 'a', after: 'b' }, marked), ['      - a', '      + b'])
  assert.equal(renderChange({ before: 'a', after: '', locale: 'es' }, marked), ['      - _a_', '      + '])
})

formats.run()
