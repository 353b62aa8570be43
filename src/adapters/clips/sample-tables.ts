import type { Mp4Box } from '../../runtime/mp4-boxes.js'
import { UnusableClip } from './frame.js'

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
export function findTable(file: Buffer, box: Mp4Box): Table | undefined {
  return tables[box.type]?.((offset) => readWord(file, box, offset))
}

/** Counts the samples of a table. Throws `UnusableClip` if its rows do not fit in its box. */
export function countSamples(file: Buffer, box: Mp4Box, { countAt, rowsAt, rowBits, runAt }: Table): number {
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
export function readWord(file: Buffer, { type, start, end }: Mp4Box, offset: number): number {
  if (start + offset + 4 > end) throw new UnusableClip(`Its ${type} is too short.`)
  return file.readUInt32BE(start + offset)
}
