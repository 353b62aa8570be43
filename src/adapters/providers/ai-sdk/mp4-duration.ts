import { type Mp4Box, readBoxes } from '../../../runtime/mp4-boxes.js'

/** The boxes up to the one looked for. Only the fragments of a film are more, and its header is before them. */
const boxesAtMost = 1000

/** Returns the duration in the movie header of an MP4 file, in seconds; undefined for any other file. */
export function readMp4Seconds(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = findBox(bytes, 'ftyp')
  const movie = findBox(bytes, 'moov')
  const header = movie && findBox(bytes, 'mvhd', movie)
  if (first?.start !== 8 || header === undefined || header.end - header.start < 32) return undefined
  const isLong = view.getUint8(header.start) === 1
  const timescale = view.getUint32(header.start + (isLong ? 20 : 12))
  const duration = isLong ? Number(view.getBigUint64(header.start + 24)) : view.getUint32(header.start + 16)
  const seconds = duration / timescale
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

function findBox(bytes: Uint8Array, type: string, within?: Mp4Box): Mp4Box | undefined {
  try {
    for (const box of readBoxes(bytes, within?.start, within?.end, boxesAtMost)) if (box.type === type) return box
  } catch {
    // The file is not MP4, ends before this box, or has too many before it.
  }
  return undefined
}
