/** The length of an MP4 file in seconds, as its movie header says; undefined if it is none. */
export function readMp4Seconds(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = findBox(view, 'ftyp', 0, view.byteLength)
  const movie = findBox(view, 'moov', 0, view.byteLength)
  const header = movie && findBox(view, 'mvhd', movie.start, movie.end)
  if (first?.start !== 8 || header === undefined || header.end - header.start < 32) return undefined
  const isLong = view.getUint8(header.start) === 1
  const timescale = view.getUint32(header.start + (isLong ? 20 : 12))
  const duration = isLong ? Number(view.getBigUint64(header.start + 24)) : view.getUint32(header.start + 16)
  const seconds = duration / timescale
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

interface Box {
  /** Of its content. */
  readonly start: number
  readonly end: number
}

function findBox(view: DataView, type: string, from: number, to: number): Box | undefined {
  for (let at = from; at + 8 <= to; ) {
    const short = view.getUint32(at)
    const isLong = short === 1 && at + 16 <= to
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? to - at : short
    if (size < 8 || at + size > to) return undefined
    const name = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)))
    if (name === type) return { start: at + (isLong ? 16 : 8), end: at + size }
    at += size
  }
  return undefined
}
