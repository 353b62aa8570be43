/** Reads the boxes of an MP4 file. Source: ISO/IEC 14496-12, 4.2. */

/** A box and its offsets in the file. */
export interface Mp4Box {
  readonly type: string
  readonly at: number
  /** The start of its content. */
  readonly start: number
  readonly end: number
}

/** The most boxes in one box or at the top level. A fragmented film of five minutes has about ten thousand. */
const boxesAtMost = 100_000
const headBytes = 8

/**
 * Yields the sibling boxes from `from` until `to`; skips fewer than 8 bytes after the last one.
 * Throws an Error with a sentence for a box that does not fit, and for too many boxes: each costs the reader more than its
 * 8 bytes.
 */
export function* readBoxes(bytes: Uint8Array, from = 0, to = bytes.length, atMost = boxesAtMost): Generator<Mp4Box> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = from; at + headBytes <= to; ) {
    const type = file.toString('latin1', at + 4, at + headBytes)
    const short = file.readUInt32BE(at)
    const isLong = short === 1 && at + 16 <= to
    const head = isLong ? 16 : headBytes
    // A size of 0 means: to the end of the file.
    const size = isLong ? Number(file.readBigUInt64BE(at + headBytes)) : short === 0 ? to - at : short
    if (size < head || size > to - at) throw new Error(`Its box ${toPlain(type)} at ${at} has size ${size}.`)
    if (++count > atMost) throw new Error(`It has more than ${atMost} boxes side by side.`)
    yield { type, at, start: at + head, end: at + size }
    at += size
  }
}

/** Returns a type with printable characters only, for logs. */
function toPlain(type: string): string {
  return type.replace(/[^ -~]/g, '?')
}
