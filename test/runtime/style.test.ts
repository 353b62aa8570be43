import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPaint } from '../../src/runtime/style.js'

const style = suite('style')

const stream = (isTTY: boolean, colors = true) => ({ isTTY, hasColors: () => colors }) as unknown as NodeJS.WriteStream
const terminal = stream(true)
const pipe = stream(false)

const cases: [title: string, to: NodeJS.WriteStream, variables: NodeJS.ProcessEnv, isPainted: boolean][] = [
  ['a terminal gets colors', terminal, {}, true],
  ['a terminal without colors stays plain', stream(true, false), {}, false],
  ['a file or pipe stays plain', pipe, {}, false],
  ['FORCE_COLOR turns them on in a pipe', pipe, { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=0 turns them off on a terminal', terminal, { FORCE_COLOR: '0' }, false],
  ['FORCE_COLOR=false turns them off on a terminal', terminal, { FORCE_COLOR: 'false' }, false],
  ['NO_COLOR turns them off on a terminal', terminal, { NO_COLOR: '1' }, false],
  ['NO_COLOR wins over FORCE_COLOR', terminal, { NO_COLOR: '1', FORCE_COLOR: '3' }, false],
  ['empty variables are not set', terminal, { NO_COLOR: '', FORCE_COLOR: '' }, true],
]
for (const [title, to, variables, isPainted] of cases) {
  style(title, () => {
    assert.is(createPaint(to, variables)('red', 'no'), isPainted ? '\u001b[31mno\u001b[39m' : 'no')
  })
}

style.run()
