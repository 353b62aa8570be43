import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseRange } from '../../../src/server/files/objects.js'

const byteRange = suite('byte range')
const rows: [header: string | null, sizeBytes: number, start: number | 'all' | 'none', end?: number][] = [
  [null, 10, 'all'],
  ['', 10, 'all'],
  ['bytes=0-0', 10, 0, 0],
  ['bytes=2-5', 10, 2, 5],
  ['BYTES=2-5', 10, 2, 5],
  ['bytes=2-', 10, 2, 9],
  ['bytes=2-500', 10, 2, 9],
  ['bytes=9-9', 10, 9, 9],
  ['bytes=10-', 10, 'none'],
  ['bytes=10-20', 10, 'none'],
  ['bytes=-3', 10, 7, 9],
  ['bytes=-300', 10, 0, 9],
  ['bytes=-0', 10, 'none'],
  ['bytes=-1', 0, 'none'],
  ['bytes=0-', 0, 'none'],
  ['bytes=-', 10, 'all'],
  ['bytes=5-2', 10, 'all'],
  ['bytes=0-1,3-4', 10, 'all'],
  ['bytes=a-b', 10, 'all'],
  ['bytes=1.5-2', 10, 'all'],
  ['items=0-1', 10, 'all'],
  [`bytes=${'9'.repeat(40)}-`, 10, 'all'],
  ['bytes=999999999999999-', 10, 'none'],
]
for (const [header, sizeBytes, start, end] of rows) {
  byteRange(`of ${sizeBytes} bytes for ${header} is ${start}`, () => {
    assert.equal(parseRange(header, sizeBytes), typeof start === 'string' ? start : { start, end })
  })
}

byteRange.run()
