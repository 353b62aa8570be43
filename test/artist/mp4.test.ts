// run: draws
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { finishMp4 } from '../../src/artist/clip.js'
import { getBox, listBoxes } from '../helpers/mp4-boxes.js'

const mp4 = suite('MP4 boxes')

function box(type: string, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const header = Buffer.alloc(8, type.padStart(8), 'latin1')
  header.writeUInt32BE(content.length + 8)
  return Buffer.concat([header, content])
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

const samples = Buffer.from('samples of a film')
const start = { ftyp: box('ftyp', Buffer.from('mp42')), free: box('free', Buffer.alloc(16)) }
const mdatStart = start.ftyp.length + start.free.length + 8

/** A video as the encoder leaves it: padding, `mdat` first, `moov` last. */
function buildFilm(changes: { mvhd?: Uint8Array; chunks?: Uint8Array; tail?: Uint8Array } = {}): Buffer {
  const mvhd = changes.mvhd ?? box('mvhd', words(0, 0xe727478d, 0xe727478e, 90_000, 180_000))
  const chunks = changes.chunks ?? box('stco', words(0, 2, mdatStart, mdatStart + 8))
  const stbl = box('stbl', box('stts', words(0, 1, 48, 3750)), chunks)
  const moov = box('moov', mvhd, box('trak', box('mdia', box('minf', stbl))))
  return Buffer.concat([start.ftyp, start.free, box('mdat', samples), moov, changes.tail ?? start.free])
}

mp4('updates the offsets in the index', () => {
  const wide = Buffer.alloc(24)
  wide.writeUInt32BE(2, 4)
  wide.writeBigUInt64BE(BigInt(mdatStart), 8)
  wide.writeBigUInt64BE(BigInt(mdatStart + 8), 16)
  for (const chunks of [undefined, box('co64', wide)]) {
    const boxes = listBoxes(finishMp4(buildFilm(chunks === undefined ? {} : { chunks })))
    const { start: mdat } = getBox(boxes, 'mdat')
    if (chunks === undefined) assert.equal(getBox(boxes, 'stco').content, words(0, 2, mdat, mdat + 8))
    else assert.equal(getBox(boxes, 'co64').content, words(0, 2, 0, mdat, 0, mdat + 8))
  }
})

mp4('marks the first sample as the only key frame', () => {
  assert.equal(getBox(listBoxes(finishMp4(buildFilm())), 'stss').content, words(0, 1, 1))
})

mp4('is idempotent, and does not change its input', () => {
  const film = buildFilm()
  const copy = Buffer.from(film)
  const once = finishMp4(film)
  assert.equal(finishMp4(once), once)
  assert.ok(film.equals(copy))
})

const broken: readonly (readonly [title: string, bytes: Uint8Array, message: RegExp])[] = [
  ['a truncated file', buildFilm().subarray(0, 200), /size/],
  ['an unknown box', buildFilm({ tail: box('moof') }), /unexpected boxes: .*moof/],
  ['a box smaller than its header', buildFilm({ tail: words(7, 0x66726565) }), /box free at \d+ has size 7/],
  ['times of another version', buildFilm({ mvhd: box('mvhd', words(2 << 24, 0, 0, 0, 0)) }), /mvhd of unknown form/],
  ['a table shorter than its count', buildFilm({ chunks: box('stco', words(0, 3, mdatStart)) }), /stco of 12 bytes/],
  ['a chunk before the samples', buildFilm({ chunks: box('stco', words(0, 1, 8)) }), /a chunk at 8 lies outside/],
]
for (const [title, bytes, message] of broken) {
  mp4(`refuses ${title}`, () => {
    assert.throws(() => finishMp4(bytes), message)
  })
}

mp4.run()
