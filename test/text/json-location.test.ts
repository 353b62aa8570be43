import { parse } from '@humanwhocodes/momoa'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { locate, toLocation } from '../../src/text/json-location.js'

const location = suite('location')
const start = { line: 1, column: 1 }

const text = `{
  "a": 1,
  "list": [true, {"x": "😀", "y": null}, [ ]],
  "a/b~c": {"": "empty name"},
  "a": 2
}`

const places: readonly (readonly [pointer: string, line: number, column: number, what: string])[] = [
  ['', 1, 1, 'the whole payload'],
  ['/a', 5, 8, 'the last of two members of one name'],
  ['/list', 3, 11, 'an array'],
  ['/list/0', 3, 12, 'an element'],
  ['/list/1/y', 3, 35, 'a member after an emoji, which counts as two units'],
  ['/list/2', 3, 42, 'an empty array'],
  ['/list/2/0', 3, 42, 'a missing element: its array'],
  ['/list/9', 3, 11, 'an element past the end: its array'],
  ['/list/name', 3, 11, 'a member of an array, which has no members: the array'],
  ['/a~1b~0c', 4, 12, 'an escaped name'],
  ['/a~1b~0c/', 4, 17, 'an empty name'],
  ['/list/1/z', 3, 18, 'a missing member: its object'],
  ['/missing/deep', 1, 1, 'a missing member of a missing member'],
  ['/a/b', 5, 8, 'a member of a number: the number'],
]
for (const [pointer, line, column, what] of places) {
  location(`finds ${what} (${pointer || 'empty pointer'})`, () => {
    assert.equal(locate(text, pointer, start), { line, column })
  })
}

location('counts from the start of the text in its file', () => {
  assert.equal(locate('{"a":1}', '/a', { line: 7, column: 11 }), { line: 7, column: 16 })
  assert.equal(locate('{\n"a":1}', '/a', { line: 7, column: 11 }), { line: 8, column: 5 })
})

location('ends a line at the line feed, with or without a carriage return', () => {
  assert.equal(toLocation('a\r\nb\nc', 3, start), { line: 2, column: 1 })
  assert.equal(toLocation('a\r\nb\nc', 5, start), { line: 3, column: 1 })
  assert.equal(toLocation('\n\nx', 2, start), { line: 3, column: 1 })
})

location('agrees with a JSON parser that keeps locations, for any JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2), (json, indent) => {
      const source = JSON.stringify(JSON.parse(json), undefined, indent)
      for (const [pointer, at] of walk(parse(source).body, '')) {
        assert.equal(locate(source, pointer, start), { line: at.line, column: at.column }, `${pointer} in ${source}`)
      }
    }),
    { numRuns: 300 },
  )
})

type Node = ReturnType<typeof parse>['body']

function walk(node: Node, pointer: string): [string, { line: number; column: number }][] {
  const here: [string, { line: number; column: number }] = [pointer, node.loc.start]
  if (node.type === 'Object') {
    return [
      here,
      ...node.members.flatMap(({ name, value }) => {
        const token = String(name.type === 'String' ? name.value : '')
        return walk(value, `${pointer}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      }),
    ]
  }
  if (node.type === 'Array') {
    return [here, ...node.elements.flatMap(({ value }, index) => walk(value, `${pointer}/${index}`))]
  }
  return [here]
}

location.run()
