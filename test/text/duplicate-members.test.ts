import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findDuplicateMembers } from '../../src/text/duplicate-members.js'

const duplicates = suite('duplicate members')

const texts: readonly (readonly [what: string, text: string, found: readonly (readonly [string, ...number[]])[]])[] = [
  ['a member twice', '{"a":1,"a":2}', [['/a', 1, 7]]],
  ['a member three times', '{"a":1,"a":2,"a":3}', [['/a', 1, 7, 13]]],
  ['a name with another escape', '{"a":1,"\\u0061":2}', [['/a', 1, 7]]],
  ['blanks before the colon', '{"a" :1,"b":2,"a"\n:2}', [['/a', 1, 14]]],
  ['one blank for one duplicate', '{"a":1,"a" :2}', [['/a', 1, 7]]],
  ['a depth of three', '{"a":[{},{"b":{"c":1,"c":[]}}]}', [['/a/1/b/c', 15, 21]]],
  ['names with ~ and /', '{"~/":1,"~/":1}', [['/~0~1', 1, 8]]],
  ['__proto__', '{"__proto__":1,"__proto__":1}', [['/__proto__', 1, 15]]],
  ['one name in two objects', '[{"a":1},{"a":1,"b":{"a":1}}]', []],
  ['colons and quotes in strings', '{"a":"\\":,\\"a\\":","b":":"}', []],
  ['no object', '"a"', []],
  ['null', 'null', []],
]
for (const [what, text, found] of texts) {
  duplicates(`finds ${found.length} in ${what}`, () => {
    const twice = findDuplicateMembers(text, JSON.parse(text)).map(({ pointer, offsets }) => [pointer, ...offsets])
    assert.equal(twice, found)
  })
}

duplicates('names the first twenty', () => {
  const text = `{${Array.from({ length: 100_000 }, (_, index) => `"${index % 50_000}":1`).join(',')}}`
  assert.is(findDuplicateMembers(text, JSON.parse(text)).length, 20)
})

duplicates('reads text of any depth', () => {
  const text = `{"a":1,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  assert.is(findDuplicateMembers(text, JSON.parse(text)).length, 1)
})

duplicates('makes few of the long pointers of a deep text', () => {
  const depth = 20_000
  const members = Array.from({ length: 20_000 }, (_, index) => `"${index}":1,"${index}":2`).join(',')
  const text = `${'{"a":'.repeat(depth)}{${members}}${'}'.repeat(depth)}`
  assert.is(findDuplicateMembers(text, JSON.parse(text)).length, 20)
})

duplicates.run()
