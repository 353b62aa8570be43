import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findNearest, listWords } from '../../src/text/spelling.js'

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

spelling('takes no long word for a misspelling, which is a matter of seconds at a megabyte', () => {
  const letters = (count: number) => 'a'.repeat(count)
  assert.is(findNearest(letters(128), [letters(127)]), letters(127))
  assert.is(findNearest(letters(129), [letters(128)]), undefined)
})

spelling.run()
