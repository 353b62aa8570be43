/** Checks of a file before it is decoded, by walking its segments. */

/**
 * Counts the scans of a JPEG. Each may cost as much as decoding the whole picture, and takes only a few bytes in the
 * file. Stops at the end of the picture or of the file.
 */
export function countScans(bytes: Uint8Array): number {
  let scans = 0
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) {
      at += 1
      continue
    }
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xd9) break
    if (marker === 0xda) scans += 1
    // Fill bytes, stuffed zeros and restart markers have no length; all other markers do.
    const isAlone = marker === 0xff || marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)
    at += isAlone ? (marker === 0xff ? 1 : 2) : 2 + Math.max(2, readUint16(bytes, at + 2))
  }
  return scans
}

/** True if a PNG is animated: `acTL` precedes the first picture data. */
export function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = view.getUint32(at + 4)
    if (type === 0x6163544c) return true
    if (type === 0x49444154) return false
  }
  return false
}

/** Reads width and height from the first chunk of a WebP; undefined if it is not a picture chunk. */
export function readWebpSize(bytes: Uint8Array): readonly [width: number, height: number] | undefined {
  if (bytes.length < 30) return undefined
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1]
    case 'VP8L':
      return [(file.readUInt32LE(21) & 0x3fff) + 1, ((file.readUInt32LE(21) >>> 14) & 0x3fff) + 1]
    case 'VP8 ':
      return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff]
    default:
      return undefined
  }
}

function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}
