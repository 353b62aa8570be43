/** Videos with false claims, made from a valid one by changing its boxes. */
import {
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { getBox, listBoxes } from './mp4-boxes.js'

/** A video and the expected message, which a valid one lacks. */
export type HostileClip = readonly [name: string, bytes: Buffer, says?: RegExp]

const tables = 'moov/trak/mdia/minf/stbl'
const claims = /^Its \w{4} claims \d+ (entries|samples)/
const beyond = /^Its pictures end at byte \d+; the file has \d+ bytes\.$/
const sized = /Its box \w{4} at \d+ has size \d+\.$/

/** `film` has one H.264 track. */
export async function makeHostileClips(film: Uint8Array): Promise<HostileClip[]> {
  const boxes = listBoxes(film)
  const moov = getBox(boxes, 'moov').content
  const sampleCount = getBox(boxes, 'stsz').content.readUInt32BE(8)
  const fragments = await makeFragments(film)
  /** Replaces a box by others; the index then comes last, so that the pictures stay at their offsets. */
  const replace = (path: string, ...by: readonly Buffer[]) => {
    const old = Buffer.from(film)
    old.write('free', old.indexOf('moov'), 'latin1')
    return Buffer.concat([old, replaceWithin(box('moov', moov), path.split('/'), Buffer.concat(by))])
  }
  const append = (path: string, ...children: readonly Buffer[]) =>
    replace(path, box(path.slice(-4), getBox(boxes, path).content, ...children))
  const patch = (path: string, offset: number, value: number) => {
    const content = Buffer.from(getBox(boxes, path).content)
    content.writeUInt32BE(value, offset)
    return replace(path, box(path.slice(-4), content))
  }
  const table = (type: string, ...values: readonly number[]) =>
    replace(`${tables}/${type === 'co64' ? 'stco' : type === 'stz2' ? 'stsz' : type}`, box(type, words(...values)))
  const run = (values: readonly number[]) => {
    const shown = box('ctts', words(0, 1, 1, 0))
    return replace(`${tables}/stts`, box('stts', words(0, values.length / 2, ...values)), shown)
  }
  const trun = (flags: number, count: number) => {
    const patched = Buffer.from(fragments)
    patched.writeUInt32BE(flags, patched.indexOf('trun') + 4)
    patched.writeUInt32BE(count, patched.indexOf('trun') + 8)
    return patched
  }
  /** Moves the offset of the last fragment's pictures. */
  const moveRun = () => {
    const patched = Buffer.from(fragments)
    const at = patched.lastIndexOf('trun') + 12
    patched.writeInt32BE(patched.readInt32BE(at) + 2 ** 30, at)
    return patched
  }
  const withBomb = run([2 ** 31, 1])
  const bomb = getBox(listBoxes(withBomb.subarray(film.length)), 'trak').content

  /** The same file with other bytes at a place. */
  const change = (edit: (file: Buffer) => void) => {
    const file = Buffer.from(film)
    edit(file)
    return file
  }
  /** The offset of a box's content, after its version and flags. */
  const contentOf = (file: Buffer, type: string) => file.indexOf(type) + 8
  const elst = (count: number) => box('edts', box('elst', words(0, count, 1, 0, 65_536)))
  const texts = box('udta', box('meta', words(0), box('trak', bomb)))
  const twice = /^It has more than one \w{4} in one container\.$/
  const ticks = /^Its m[dv]hd has no ticks per second\.$/

  return [
    ['no bomb, but presentation times', append(tables, box('ctts', words(0, 1, sampleCount, 0)))],
    ['no bomb, but fragments', fragments],
    ...[2 ** 31 - 1, 2 ** 32 - 1].flatMap((count) =>
      Object.entries({
        'stts of many entries': table('stts', 0, count, 1, 1),
        'stts with a long run': run([count, 1]),
        'ctts of many entries': append(tables, box('ctts', words(0, count, 1, 0))),
        'ctts with a long run': append(tables, box('ctts', words(0, 1, count, 0))),
        'stsz of many entries': table('stsz', 0, 0, count, 9),
        'stsz of many entries of one size': table('stsz', 0, 1, count),
        'stz2 of many entries': table('stz2', 0, 8, count, 9),
        'stz2 of many entries without bits': table('stz2', 0, 0, count),
        'stss of many entries': table('stss', 0, count, 1),
        'stsc of many entries': table('stsc', 0, count, 1, 1, 1),
        'stsc with large chunks': table('stsc', 0, 1, 1, count, 1),
        'stco of many entries': table('stco', 0, count, 1),
        'co64 of many entries': table('co64', 0, count, 0, 1),
        'stsd of many entries': patch(`${tables}/stsd`, 4, count),
        'elst of many entries': append('moov/trak', elst(count)),
        'trun of many entries without bytes': trun(0, count),
        'trun of many entries': trun(0x200, count),
      }).map(([name, bytes]): HostileClip => [`${name}: ${count}`, bytes, claims]),
    ),
    ['two long runs', run([40_000, 1, 40_000, 1]), /^Its stts claims 80000 samples; at most 72000 are accepted\.$/],
    ['the same table twice', append(tables, box('stts', words(0, 0))), twice],
    [
      'many tracks',
      append('moov', ...Array.from({ length: 32 }, () => box('trak', getBox(boxes, 'trak').content))),
      /^It has more than 32 tracks\.$/,
    ],
    ['no ticks per second', patch('moov/trak/mdia/mdhd', 12, 0), ticks],
    ['no ticks per second in the movie header', patch('moov/mvhd', 12, 0), ticks],
    ['a table without a count', table('stss', 0), /^Its stss is too short\.$/],
    ['sound only', change((file) => file.write('soun', file.indexOf('vide'), 'latin1')), /^It has no video\.$/],
    [
      'wide pictures',
      change((file) => file.writeUInt16BE(16_000, file.indexOf('avc1', file.indexOf('stsd')) + 28)),
      /^It has 16000 x 512 pixels; at most 4096 per side/,
    ],
    [
      // One tick per second instead of 90,000.
      'a length of hours',
      change((file) => file.writeUInt32BE(1, contentOf(file, 'mdhd') + 8)),
      /^It claims to last \d+ s; at most 300 s are accepted\./,
    ],
    [
      'the same pictures in two chunks',
      change((file) => {
        file.writeUInt32BE(90_000, contentOf(file, 'stsz'))
        // One picture per chunk, both chunks at the same offset.
        file.writeUInt32BE(1, contentOf(file, 'stsc') + 8)
        file.copy(file, contentOf(file, 'stco') + 8, contentOf(file, 'stco') + 4, contentOf(file, 'stco') + 8)
      }),
      /^Its pictures take more bytes than the file has\.$/,
    ],
    ['other bytes', Buffer.from('hello'), /^It is not a readable MP4\.$/],

    ['chunks that begin after the end', table('stco', 0, 1, 2 ** 31), beyond],
    ['chunks that begin after the end, in 64 bits', table('co64', 0, 1, 2 ** 20, 0), beyond],
    ['a chunk that ends after the end', table('stco', 0, 1, film.length - 10), beyond],
    ['pictures of 4 GiB', table('stsz', 0, 2 ** 32 - 1, sampleCount), beyond],
    ['sizes of three bits', table('stz2', 0, 3, 4, 0), /^Its stz2 has sizes of 3 bits\.$/],
    ['a fragment that begins after the end', moveRun(), beyond],

    ['a truncated end', Buffer.from(film.subarray(0, -1)), beyond],
    ['a truncated index', Buffer.from(film.subarray(0, 600)), sized],
    ['a box larger than its container', patch('moov/trak/mdia', 0, 100_000), sized],
    ['a box of 2^63 bytes', Buffer.concat([film, words(1, moof, 2 ** 31, 0)]), sized],
    ['a box of 64 bits without bytes', Buffer.concat([film, words(1, moof, 0, 0)]), sized],
    ['a box of two bytes', Buffer.concat([film, words(2, moof)]), sized],
    ['a box that extends to the end', append('moov/trak', words(0, mdia)), twice],
    ['boxes in boxes', append('moov', nest('mdia', 50_000))],
    ['tables in tables', append(tables, nest('stbl', 50_000))],
    [
      'over a hundred thousand boxes',
      Buffer.concat([film, ...Array.from({ length: 110_000 }, () => box('moof'))]),
      /It has more than 100000 boxes side by side\.$/,
    ],
    // Readers also look for tables in boxes with texts.
    ['a bomb among the texts', replace('moov', box('moov', texts, moov))],
    ['a bomb among the pictures', hideIndex(fragments), /^It hides an index\.$/],
  ]
}

const moof = 0x6d6f6f66
const mdia = 0x6d646961

/** The same pictures, in fragments. */
async function makeFragments(film: Uint8Array): Promise<Buffer> {
  const track = await new Input({ source: new BufferSource(film), formats: [MP4] }).getPrimaryVideoTrack()
  const decoderConfig = (await track?.getDecoderConfig()) ?? undefined
  if (track == null || decoderConfig === undefined) throw new Error('no film')
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target })
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source)
  await output.start()
  for await (const packet of new EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig })
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

/** An index of fragments that only the last bytes of the file name, with a fragment of a great many pictures. */
function hideIndex(fragments: Buffer): Buffer {
  const traf = box('traf', box('tfhd', words(0x38, 1, 1, 1, 0)), box('trun', words(0, 2 ** 31)))
  const index = box('mfra', box('moof', traf))
  return Buffer.concat([fragments, box('mdat', index, words(index.length + 4))])
}

/** A box with another one in it, and so on. */
function nest(type: string, depth: number): Buffer {
  const nested = Buffer.alloc(depth * 8)
  for (let level = 0; level < depth; level++) {
    nested.writeUInt32BE((depth - level) * 8, level * 8)
    nested.write(type, level * 8 + 4, 'latin1')
  }
  return nested
}

/** A box, with others at the place of one below it. */
function replaceWithin(whole: Buffer, [type, next, ...rest]: readonly string[], by: Buffer): Buffer {
  if (next === undefined) return by
  const children: Buffer[] = []
  for (let at = 8; at < whole.length; at += whole.readUInt32BE(at)) {
    const child = whole.subarray(at, at + whole.readUInt32BE(at))
    children.push(child.toString('latin1', 4, 8) === next ? replaceWithin(child, [next, ...rest], by) : child)
  }
  return box(type ?? '', ...children)
}

function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([words(content.length + 8), Buffer.from(type, 'latin1'), content])
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
