import { type Mp4Box, readBoxes } from '../../runtime/mp4-boxes.js'
import { lengthAtMost, UnusableClip } from './frame.js'
import { checkChunks, checkRuns, type DefaultSizes, readDefaultSize } from './picture-ranges.js'
import { countSamples, findTable, readWord } from './sample-tables.js'

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
