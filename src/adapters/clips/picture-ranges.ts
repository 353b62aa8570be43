import type { Mp4Box } from '../../runtime/mp4-boxes.js'
import { UnusableClip } from './frame.js'
import { findTable, readWord } from './sample-tables.js'

/** The boxes of a container by type; only `trun` and `trex` repeat. */
export type ChildBoxes = ReadonlyMap<string, readonly Mp4Box[]>

/**
 * Checks that the pictures of a sample table end inside the file. Its tables must fit in their boxes.
 * Throws `UnusableClip`.
 */
export function checkChunks(file: Buffer, tables: ChildBoxes): void {
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
export type DefaultSizes = Map<number, number>

/** Reads the default size of a `trex` box. */
export function readDefaultSize(file: Buffer, box: Mp4Box, sizes: DefaultSizes): void {
  sizes.set(readWord(file, box, 4), readWord(file, box, 16))
}

/** Checks that the pictures of a fragment's track end inside the file; `movieAt` is the offset of its `moof`. */
export function checkRuns(file: Buffer, movieAt: number, boxes: ChildBoxes, sizes: DefaultSizes): void {
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
