/** Each piece takes some 300 bytes beside its own, and a caller may send them of one byte each. */
const looseAtMost = 4096

/** What comes in pieces, to be one in the end. */
export interface Pieces {
  add(piece: Buffer): void
  /** All of them as one; none is kept. */
  join(): Buffer
}

/** Keeps pieces in about as much memory as they have bytes. */
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
