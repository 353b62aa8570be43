import { type Mp4Box, readBoxes } from '../../runtime/mp4-boxes.js'
import { lengthAtMost, UnusableClip } from './frame.js'

/** The boxes needed to read pictures, by their container. */
const needed: Readonly<Record<string, readonly string[]>> = {
  file: ['ftyp', 'styp', 'moov', 'moof', 'mdat'],
  moov: ['mvhd', 'trak', 'mvex'],
  trak: ['tkhd', 'edts', 'mdia'],
  edts: ['elst'],
  mdia: ['mdhd', 'hdlr', 'minf'],
  minf: ['stbl'],
  stbl: ['stsd', 'stts', 'ctts', 'stss', 'stsz', 'stz2', 'stsc', 'stco', 'co64'],
  picture: ['avcC', 'hvcC', 'vpcC', 'av1C', 'colr', 'pasp', 'btrt'],
  mvex: ['trex'],
  moof: ['mfhd', 'traf'],
  traf: ['tfhd', 'tfdt', 'trun'],
}
const repeated = new Set(['styp', 'moof', 'mdat', 'trak', 'trex', 'colr', 'traf', 'trun'])
const tracksAtMost = 32
/** For all tables of a kind together: 240 pictures per second. */
const samplesAtMost = 240 * lengthAtMost
/** Bytes of an `stsd` entry before its boxes. */
const pictureBytes = 78

/**
 * Keeps the boxes of an MP4 that are needed to read its pictures, and renames all others in place to `free`, which
 * readers skip. Checks the rest: a reader trusts a table that claims two billion samples and allocates memory for
 * each, and reads some tables in any container. Throws `UnusableClip`, or an Error with a sentence.
 */
export function keepPictures(mp4: Uint8Array): void {
  const file = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.byteLength)
  const samples = new Map<string, number>()
  const defaultSizes: DefaultSizes = new Map()
  let movieAt = 0

  function keep(parent: string, from: number, to: number): void {
    const seen = new Map<string, Mp4Box[]>()
    for (const box of readBoxes(file, from, to)) {
      const { type } = box
      if (!needed[parent]?.includes(type) || (type === 'trak' && !isVideo(file, box))) {
        file.write('free', box.at + 4, 'latin1')
        continue
      }
      const boxes = seen.get(type) ?? []
      const times = boxes.push(box)
      seen.set(type, boxes)
      if (type === 'moof') movieAt = box.at
      if (times > 1 && !repeated.has(type)) throw new UnusableClip(`It has more than one ${type} in one container.`)
      if (type === 'trak' && times > tracksAtMost) throw new UnusableClip(`It has more than ${tracksAtMost} tracks.`)
      if (type in needed) keep(type, box.start, box.end)
      else if (type === 'stsd') keepEntries(box)
      else checkLeaf(box)
    }
    if (parent === 'stbl') checkChunks(file, seen)
    if (parent === 'traf') checkRuns(file, movieAt, seen, defaultSizes)
  }

  function keepEntries(box: Mp4Box): void {
    const entries = [...readBoxes(file, box.start + 8, box.end)]
    const claimed = readWord(file, box, 4)
    if (claimed > entries.length) {
      throw new UnusableClip(`Its stsd claims ${claimed} entries; it has ${entries.length}.`)
    }
    for (const entry of entries) keep('picture', entry.start + pictureBytes, entry.end)
  }

  function checkLeaf(box: Mp4Box): void {
    if (box.type === 'mvhd' || box.type === 'mdhd') checkClock(file, box)
    if (box.type === 'trex') readDefaultSize(file, box, defaultSizes)
    const table = findTable(file, box)
    if (table === undefined) return
    const total = (samples.get(box.type) ?? 0) + countSamples(file, box, table)
    samples.set(box.type, total)
    if (total > samplesAtMost) {
      throw new UnusableClip(`Its ${box.type} claims ${total} samples; at most ${samplesAtMost} are accepted.`)
    }
  }

  keep('file', 0, file.length)
  refuseHiddenIndex(file)
}

/** True if the track's handler is video. */
function isVideo(file: Buffer, track: Mp4Box): boolean {
  const media = findIn(file, track, 'mdia')
  const handler = media && findIn(file, media, 'hdlr')
  return (
    handler !== undefined &&
    file.toString('latin1', handler.start + 8, Math.min(handler.start + 12, handler.end)) === 'vide'
  )
}

function findIn(file: Buffer, { start, end }: Mp4Box, type: string): Mp4Box | undefined {
  for (const box of readBoxes(file, start, end)) if (box.type === type) return box
  return undefined
}

/** Without ticks per second, times cannot be computed. */
function checkClock(file: Buffer, box: Mp4Box): void {
  const isLong = file[box.start] === 1
  if (readWord(file, box, isLong ? 20 : 12) === 0) throw new UnusableClip(`Its ${box.type} has no ticks per second.`)
}

/**
 * The last bytes of a file may contain the offset of an index of fragments (`mfra`). A genuine one has been renamed
 * by now; a remaining one is hidden inside another box.
 */
function refuseHiddenIndex(file: Buffer): void {
  const at = file.length < 4 ? -1 : file.length - file.readUInt32BE(file.length - 4)
  if (at >= 0 && file.toString('latin1', at + 4, at + 8) === 'mfra') throw new UnusableClip('It hides an index.')
}

/** The boxes of a container by type; only `trun` and `trex` repeat. */
type ChildBoxes = ReadonlyMap<string, readonly Mp4Box[]>

/**
 * Checks that the pictures of a sample table end inside the file. Its tables must fit in their boxes.
 * Throws `UnusableClip`.
 */
function checkChunks(file: Buffer, tables: ChildBoxes): void {
  const [sizes] = tables.get('stsz') ?? tables.get('stz2') ?? []
  const [runs] = tables.get('stsc') ?? []
  const [chunks] = tables.get('stco') ?? tables.get('co64') ?? []
  if (sizes === undefined || runs === undefined || chunks === undefined) return
  const sizeOf = createSizeReader(file, sizes)
  const isLong = chunks.type === 'co64'
  const [sampleCount, runCount, chunkCount] = [
    readWord(file, sizes, 8),
    readWord(file, runs, 4),
    readWord(file, chunks, 4),
  ]
  let sample = 0
  let run = -1
  for (let chunk = 0; chunk < chunkCount && sample < sampleCount; chunk++) {
    const next = () => run + 1 < runCount && readWord(file, runs, 8 + (run + 1) * 12) <= chunk + 1
    while (next()) run += 1
    const count = run < 0 ? 0 : readWord(file, runs, 8 + run * 12 + 4)
    const first = chunks.start + 8 + chunk * (isLong ? 8 : 4)
    let end = isLong ? Number(file.readBigUInt64BE(first)) : file.readUInt32BE(first)
    for (const last = Math.min(sample + count, sampleCount); sample < last; sample++) end += sizeOf(sample)
    refuseBeyond(file, end)
  }
}

function createSizeReader(file: Buffer, box: Mp4Box): (sample: number) => number {
  const word = readWord(file, box, 4)
  const rows = box.start + 12
  if (box.type === 'stsz') return word === 0 ? (sample) => file.readUInt32BE(rows + sample * 4) : () => word
  const bits = word & 0xff
  if (bits !== 4 && bits !== 8 && bits !== 16) throw new UnusableClip(`Its stz2 has sizes of ${bits} bits.`)
  if (bits === 16) return (sample) => file.readUInt16BE(rows + sample * 2)
  if (bits === 8) return (sample) => file.readUInt8(rows + sample)
  return (sample) => (file.readUInt8(rows + (sample >> 1)) >> (sample % 2 === 0 ? 4 : 0)) & 0xf
}

/** The size of pictures by track ID, for fragments that do not repeat it. */
type DefaultSizes = Map<number, number>

/** Reads the default size of a `trex` box. */
function readDefaultSize(file: Buffer, box: Mp4Box, sizes: DefaultSizes): void {
  sizes.set(readWord(file, box, 4), readWord(file, box, 16))
}

/** Checks that the pictures of a fragment's track end inside the file; `movieAt` is the offset of its `moof`. */
function checkRuns(file: Buffer, movieAt: number, boxes: ChildBoxes, sizes: DefaultSizes): void {
  const [head] = boxes.get('tfhd') ?? []
  if (head === undefined) return
  const flags = readWord(file, head, 0)
  const hasBase = (flags & 0x1) !== 0
  const sizeAt = 8 + (hasBase ? 8 : 0) + (flags & 0x2 ? 4 : 0) + (flags & 0x8 ? 4 : 0)
  const defaultSize = flags & 0x10 ? readWord(file, head, sizeAt) : (sizes.get(readWord(file, head, 4)) ?? 0)
  const base = hasBase ? readWord(file, head, 8) * 2 ** 32 + readWord(file, head, 12) : movieAt
  let end = base
  for (const run of boxes.get('trun') ?? []) {
    const runFlags = readWord(file, run, 0)
    if (runFlags & 0x1) end = base + (readWord(file, run, 8) | 0)
    const count = readWord(file, run, 4)
    const table = findTable(file, run)
    if (table === undefined || (runFlags & 0x200) === 0) end += count * defaultSize
    else {
      const first = table.rowsAt + (runFlags & 0x100 ? 4 : 0)
      for (let row = 0; row < count; row++) end += readWord(file, run, first + (row * table.rowBits) / 8)
    }
    refuseBeyond(file, end)
  }
}

function refuseBeyond({ length }: Buffer, end: number): void {
  if (end > length) throw new UnusableClip(`Its pictures end at byte ${end}; the file has ${length} bytes.`)
}

/** The layout of a sample table in its box. Offsets are relative to the box's content. */
interface Table {
  readonly countAt: number
  readonly rowsAt: number
  readonly rowBits: number
  /** Offset in a row of its run length; without it each row is one sample. */
  readonly runAt?: number
}

type ReadWord = (offset: number) => number

const tables: Readonly<Record<string, (word: ReadWord) => Table>> = {
  stts: () => ({ countAt: 4, rowsAt: 8, rowBits: 64, runAt: 0 }),
  ctts: () => ({ countAt: 4, rowsAt: 8, rowBits: 64, runAt: 0 }),
  stsc: () => ({ countAt: 4, rowsAt: 8, rowBits: 96, runAt: 4 }),
  stss: () => ({ countAt: 4, rowsAt: 8, rowBits: 32 }),
  stco: () => ({ countAt: 4, rowsAt: 8, rowBits: 32 }),
  co64: () => ({ countAt: 4, rowsAt: 8, rowBits: 64 }),
  // Samples of one size have no rows.
  stsz: (word) => ({ countAt: 8, rowsAt: 12, rowBits: word(4) === 0 ? 32 : 0 }),
  stz2: (word) => ({ countAt: 8, rowsAt: 12, rowBits: word(4) & 0xff }),
  elst: (word) => ({ countAt: 4, rowsAt: 8, rowBits: word(0) >>> 24 === 1 ? 160 : 96 }),
  trun(word) {
    const flags = word(0)
    const countSet = (mask: number) => (flags & mask).toString(2).replaceAll('0', '').length
    return { countAt: 4, rowsAt: 8 + 4 * countSet(0x5), rowBits: 32 * countSet(0xf00) }
  },
}

/** Returns the layout of the table in a box; undefined if it is not a table. */
function findTable(file: Buffer, box: Mp4Box): Table | undefined {
  return tables[box.type]?.((offset) => readWord(file, box, offset))
}

/** Counts the samples of a table. Throws `UnusableClip` if its rows do not fit in its box. */
function countSamples(file: Buffer, box: Mp4Box, { countAt, rowsAt, rowBits, runAt }: Table): number {
  const rows = readWord(file, box, countAt)
  if (rowsAt * 8 + rows * rowBits > (box.end - box.start) * 8) {
    throw new UnusableClip(`Its ${box.type} claims ${rows} entries, which do not fit.`)
  }
  if (runAt === undefined) return rows
  let samples = 0
  for (let row = 0; row < rows; row++) samples += readWord(file, box, rowsAt + (row * rowBits) / 8 + runAt)
  return samples
}

/** Reads the number at an offset of a box's content. Throws `UnusableClip` if the box is too short. */
function readWord(file: Buffer, { type, start, end }: Mp4Box, offset: number): number {
  if (start + offset + 4 > end) throw new UnusableClip(`Its ${type} is too short.`)
  return file.readUInt32BE(start + offset)
}
