import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPpm } from '../../../src/adapters/clips/ffmpeg.js'

const ppm = suite('reading PPM pictures from a stream')
const picture = (width: number, height: number, value: number) =>
  Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), Buffer.alloc(width * height * 3, value)])

async function* inPieces(bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function readAll(bytes: Buffer, size: number) {
  const frames = []
  for await (const frame of readPpm(inPieces(bytes, size))) frames.push(frame)
  return frames
}

for (const size of [1, 7, 1000, 100_000]) {
  ppm(`reads every picture from pieces of ${size} bytes`, async () => {
    const frames = await readAll(Buffer.concat([picture(20, 10, 1), picture(3, 2, 2), picture(20, 10, 3)]), size)
    assert.equal(
      frames.map(({ width, height, pixels }) => [width, height, pixels.length, pixels[0], pixels.at(-1)]),
      [
        [20, 10, 600, 1, 1],
        [3, 2, 18, 2, 2],
        [20, 10, 600, 3, 3],
      ],
    )
  })
}

ppm('rejects other formats and a truncated picture', async () => {
  const faults = await Promise.allSettled([
    readAll(Buffer.from('P5\n2 2\n255\nabcd'), 5),
    readAll(picture(9, 9, 0).subarray(0, 99), 50),
  ])
  assert.equal(
    faults.map((fault) => fault.status === 'rejected' && fault.reason.message),
    ['The decoder wrote no PPM.', 'The decoder ended in the middle of a picture.'],
  )
})

ppm.run()
