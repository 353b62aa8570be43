import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chooseLoop } from '../../../src/adapters/clips/make-loop.js'

const loops = suite('choosing the loop of a video')
const pixels = 64

/**
 * A bright dot that makes one round in `period` frames, starting at `phase`; it dims towards the end of `count`
 * frames.
 */
function film(count: number, period: number, { phase = 0, dims = 0 } = {}): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * (index + phase)) / period
    return Uint8Array.from({ length: pixels }, (_, pixel) => {
      const distance = Math.cos(angle - (2 * Math.PI * pixel) / pixels)
      return 128 + 100 * distance - (dims * index) / count
    })
  })
}

loops('keeps all whole rounds', () => {
  const { start, end, seam } = chooseLoop(film(60, 24))
  assert.is(end - start, 48)
  assert.ok(seam < 0.5, `the seam is ${seam}`)
})

loops('leaves out the last frame if it repeats the first', () => {
  assert.equal((({ start, end }) => ({ start, end }))(chooseLoop(film(25, 24))), { start: 0, end: 24 })
})

loops('never keeps less than two fifths of the video', () => {
  const { start, end } = chooseLoop(film(60, 7, { dims: 100 }))
  assert.ok(end - start >= 24, `it keeps ${end - start} frames`)
})

loops('reports the seam in relation to a typical step', () => {
  const { seam, step } = chooseLoop(film(30, 200))
  assert.ok(seam > step, `${seam} is not a jump compared to ${step}`)
})

loops('keeps a still video and a single frame whole', () => {
  assert.is(chooseLoop([new Uint8Array(pixels)]).end, 1)
  const { start, end, seam } = chooseLoop(Array.from({ length: 20 }, () => new Uint8Array(pixels)))
  assert.equal([start, end, seam], [0, 19, 0])
})

loops.run()
