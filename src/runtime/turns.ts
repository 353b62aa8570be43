import type { Hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Copying or digesting so many bytes takes the main loop two milliseconds; then other requests have their turn. */
const bytesPerTurn = 1 << 20

/** Joins the pieces of a large file, which `Buffer.concat` would do in one turn. A piece is copied as a whole. */
export async function joinInTurns(pieces: readonly Uint8Array[]): Promise<Buffer> {
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0)
  if (sizeBytes < bytesPerTurn) return Buffer.concat(pieces)
  const whole = Buffer.allocUnsafe(sizeBytes)
  let copied = 0
  for (const piece of pieces) {
    const turn = Math.floor(copied / bytesPerTurn)
    whole.set(piece, copied)
    copied += piece.length
    if (Math.floor(copied / bytesPerTurn) > turn) await nextTurn()
  }
  return whole
}

/** Yields the parts of a large file, each in a turn of its own. */
export async function* splitInTurns(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += bytesPerTurn) {
    if (at > 0) await nextTurn()
    yield bytes.subarray(at, at + bytesPerTurn)
  }
}

/** Adds the bytes of a large file to a digest. */
export async function digestInTurns(hash: Hash, bytes: Uint8Array): Promise<Hash> {
  for await (const part of splitInTurns(bytes)) hash.update(part)
  return hash
}
