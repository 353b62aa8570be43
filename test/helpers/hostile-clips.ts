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

/** A video and the expected message; undefined for a valid one. */
export interface HostileClip {
  readonly name: string
  readonly bytes: Buffer
  readonly says?: RegExp
}

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

  return [
    { name: 'no bomb, but presentation times', bytes: append(tables, box('ctts', words(0, 1, sampleCount, 0))) },
    { name: 'no bomb, but fragments', bytes: fragments },
    ...[2 ** 31 - 1, 2 ** 32 - 1].flatMap((count) =>
      [
        { name: 'stts of many entries', bytes: table('stts', 0, count, 1, 1) },
        { name: 'stts with a long run', bytes: run([count, 1]) },
        { name: 'ctts of many entries', bytes: append(tables, box('ctts', words(0, count, 1, 0))) },
        { name: 'ctts with a long run', bytes: append(tables, box('ctts', words(0, 1, count, 0))) },
        { name: 'stsz of many entries', bytes: table('stsz', 0, 0, count, 9) },
        { name: 'stsz of many entries of one size', bytes: table('stsz', 0, 1, count) },
        { name: 'stz2 of many entries', bytes: table('stz2', 0, 8, count, 9) },
        { name: 'stz2 of many entries without bits', bytes: table('stz2', 0, 0, count) },
        { name: 'stss of many entries', bytes: table('stss', 0, count, 1) },
        { name: 'stsc of many entries', bytes: table('stsc', 0, count, 1, 1, 1) },
        { name: 'stsc with large chunks', bytes: table('stsc', 0, 1, 1, count, 1) },
        { name: 'stco of many entries', bytes: table('stco', 0, count, 1) },
        { name: 'co64 of many entries', bytes: table('co64', 0, count, 0, 1) },
        { name: 'stsd of many entries', bytes: patch(`${tables}/stsd`, 4, count) },
        {
          name: 'elst of many entries',
          bytes: append('moov/trak', box('edts', box('elst', words(0, count, 1, 0, 65_536)))),
        },
        { name: 'trun of many entries without bytes', bytes: trun(0, count) },
        { name: 'trun of many entries', bytes: trun(0x200, count) },
      ].map(({ name, bytes }) => ({ name: `${name}: ${count}`, bytes, says: claims })),
    ),
    {
      name: 'two runs that are too long together',
      bytes: run([40_000, 1, 40_000, 1]),
      says: /^Its stts claims 80000 samples; at most 72000 are accepted\.$/,
    },
    {
      name: 'the same table twice',
      bytes: append(tables, box('stts', words(0, 0))),
      says: /^It has more than one stts in one container\.$/,
    },
    {
      name: 'many tracks',
      bytes: append('moov', ...Array.from({ length: 32 }, () => box('trak', getBox(boxes, 'trak').content))),
      says: /^It has more than 32 tracks\.$/,
    },
    {
      name: 'no ticks per second',
      bytes: patch('moov/trak/mdia/mdhd', 12, 0),
      says: /^Its mdhd has no ticks per second\.$/,
    },
    {
      name: 'no ticks per second in the movie header',
      bytes: patch('moov/mvhd', 12, 0),
      says: /^Its mvhd has no ticks per second\.$/,
    },
    { name: 'a table without a count', bytes: table('stss', 0), says: /^Its stss is too short\.$/ },

    { name: 'chunks that begin after the end', bytes: table('stco', 0, 1, 2 ** 31), says: beyond },
    { name: 'chunks that begin after the end, in 64 bits', bytes: table('co64', 0, 1, 2 ** 20, 0), says: beyond },
    {
      name: 'a chunk that ends after the end',
      bytes: table('stco', 0, 1, film.length - 10),
      says: beyond,
    },
    { name: 'pictures of 4 GiB', bytes: table('stsz', 0, 2 ** 32 - 1, sampleCount), says: beyond },
    { name: 'sizes of three bits', bytes: table('stz2', 0, 3, 4, 0), says: /^Its stz2 has sizes of 3 bits\.$/ },
    { name: 'a fragment that begins after the end', bytes: moveRun(), says: beyond },

    { name: 'a truncated video', bytes: Buffer.from(film.subarray(0, -1)), says: beyond },
    { name: 'a truncated index', bytes: Buffer.from(film.subarray(0, 600)), says: sized },
    { name: 'a box larger than its container', bytes: patch('moov/trak/mdia', 0, 100_000), says: sized },
    { name: 'a box of 2^63 bytes', bytes: Buffer.concat([film, words(1, moof, 2 ** 31, 0)]), says: sized },
    { name: 'a box of 64 bits without bytes', bytes: Buffer.concat([film, words(1, moof, 0, 0)]), says: sized },
    { name: 'a box of two bytes', bytes: Buffer.concat([film, words(2, moof)]), says: sized },
    {
      name: 'a box that extends to the end',
      bytes: append('moov/trak', words(0, mdia)),
      says: /^It has more than one mdia in one container\.$/,
    },
    { name: 'boxes in boxes', bytes: append('moov', nest('mdia', 50_000)) },
    { name: 'tables in tables', bytes: append(tables, nest('stbl', 50_000)) },
    {
      name: 'two hundred thousand boxes',
      bytes: Buffer.concat([film, ...Array.from({ length: 200_000 }, () => box('moof'))]),
      says: /It has more than 100000 boxes side by side\.$/,
    },
    // Readers also look for tables in boxes with texts.
    {
      name: 'a bomb among the texts',
      bytes: replace('moov', box('moov', box('udta', box('meta', words(0), box('trak', bomb))), moov)),
    },
    { name: 'a bomb among the pictures', bytes: hideIndex(fragments), says: /^It hides an index\.$/ },
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
