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

spelling('looks for no neighbours of a name that is too long to be a misspelling', () => {
  assert.is(findNearest('tmies', ['times']), 'times')
  const long = 'x'.repeat(1_000_000)
  // A comparison would read the name letter by letter.
  const name = Object.assign(Object(long), { toLowerCase: () => assert.unreachable('the name was compared') })
  assert.is(findNearest(name, ['x'.repeat(999_999)]), undefined)
})

spelling.run()
