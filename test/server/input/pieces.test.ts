// run: alone
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPieces } from '../../../src/server/input/body-reader.js'

const pieces = suite('pieces')

for (const count of [0, 1, 4095, 4096, 4097, 100_000]) {
  pieces(`joins ${count} in order, and does not keep them`, () => {
    const whole = Buffer.from(Array.from({ length: count }, (_, index) => index % 251))
    const { add, join } = createPieces()
    for (let index = 0; index < count; index++) add(whole.subarray(index, index + 1))
    assert.ok(join().equals(whole))
    assert.is(join().length, 0)
  })
}

pieces('keeps a million small chunks in little more memory than their bytes', () => {
  const piece = Buffer.alloc(1 << 20, 'x')
  const { add, join } = createPieces()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < piece.length; index++) add(piece.subarray(index, index + 1))
  // Kept one by one, they take about 100 MiB of heap, plus external memory that is not counted here.
  const grown = process.memoryUsage().heapUsed - before
  assert.ok(grown < 64 << 20, `${grown >> 20} MiB`)
  assert.is(join().length, piece.length)
})

pieces.run()
