import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPieces } from '../../src/server/pieces.js'

const pieces = suite('pieces')

for (const count of [0, 1, 4095, 4096, 4097, 100_000]) {
  pieces(`puts ${count} together in their order, and keeps none`, () => {
    const whole = Buffer.from(Array.from({ length: count }, (_, place) => place % 251))
    const { add, join } = createPieces()
    for (let place = 0; place < count; place++) add(whole.subarray(place, place + 1))
    assert.ok(join().equals(whole))
    assert.is(join().length, 0)
  })
}

pieces('keeps a million small ones in little more memory than they have bytes', () => {
  const piece = Buffer.alloc(1 << 20, 'x')
  const { add, join } = createPieces()
  const before = process.memoryUsage().heapUsed
  for (let place = 0; place < piece.length; place++) add(piece.subarray(place, place + 1))
  // Kept one by one they take some 100 MiB of it, beside what is not counted here.
  const grown = process.memoryUsage().heapUsed - before
  assert.ok(grown < 64 << 20, `${grown >> 20} MiB`)
  assert.is(join().length, piece.length)
})

pieces.run()
