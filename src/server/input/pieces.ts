/** Each buffer costs about 300 bytes of overhead, and a caller may send chunks of one byte. */
const looseAtMost = 4096

/** Collects chunks into one buffer. */
export interface Pieces {
  add(piece: Buffer): void
  /** Returns all chunks as one buffer and forgets them. */
  join(): Buffer
}

/** Joins chunks from time to time, so that many small ones take little more memory than their bytes. */
export function createPieces(): Pieces {
  let joined: Buffer[] = []
  let loose: Buffer[] = []
  return {
    add(piece) {
      loose.push(piece)
      if (loose.length < looseAtMost) return
      joined.push(Buffer.concat(loose))
      loose = []
    },
    join() {
      const all = [...joined, ...loose]
      joined = []
      loose = []
      return Buffer.concat(all)
    },
  }
}
