import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compareLines, compareSegments, createCompareLine } from './fuzz/compare.js'
import { validLines } from './fuzz/lines.js'

const differential = suite('fast validator against the plain one')

differential('accepts most valid payloads, with the same reading and the same answer', () => {
  const { compare, tally } = createCompareLine()
  for (const line of validLines) compare(Buffer.from(line))
  const { lines, valid, accepted } = tally()
  assert.is(valid, lines)
  assert.ok(accepted > 0.9 * valid, `${accepted} of ${valid}`)
})

/** `npm run fuzz` compares a million. */
differential('accepts no mutated line with an error or a warning, and many of the others', () => {
  const { valid, accepted } = compareLines({ lines: 10_000 })
  assert.ok(valid > 500, `${valid} valid lines`)
  assert.ok(accepted > 0.3 * valid, `${accepted} of ${valid}`)
})

differential('gives svc validate the same results for mutated NDJSON', () => compareSegments({ lines: 1000 }))

differential.run()
