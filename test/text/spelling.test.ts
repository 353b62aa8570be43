import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findNearest } from '../../src/text/spelling.js'

const spelling = suite('spelling')

spelling('takes no long word for a misspelling, which is a matter of seconds at a megabyte', () => {
  const letters = (count: number) => 'a'.repeat(count)
  assert.is(findNearest(letters(128), [letters(127)]), letters(127))
  assert.is(findNearest(letters(129), [letters(128)]), undefined)
})

spelling.run()
