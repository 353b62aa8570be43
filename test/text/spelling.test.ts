import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listWords } from '../../src/text/spelling.js'

const spelling = suite('spelling')

for (const [words, listed] of [
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
] as const) {
  spelling(`lists ${words.length} words`, () => {
    assert.is(listWords(words, 'or'), listed)
  })
}

spelling.run()
