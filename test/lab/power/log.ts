import { readFileSync } from 'node:fs'

const kinds = [
  'open',
  'write',
  'resize',
  'sync begin',
  'sync end',
  'rename',
  'link',
  'unlink',
  'mkdir',
  'rmdir',
] as const

/** A record of `preload.c`. */
export interface Entry {
  readonly kind: (typeof kinds)[number]
  readonly path: string
  readonly inode: number
  /** The offset of a write, the new size, the ticket of a sync, or 1 if the open truncated the file. */
  readonly number: bigint
  /** The written bytes, or the second path of a rename or link. */
  readonly data: Buffer
  readonly timeMs: number
  /** The size of the log after this record. */
  readonly end: number
}

const headerBytes = 40

/** Reads the log of `preload.c`. Its last record may be incomplete if the process was killed. */
export function readLog(file: string): Entry[] {
  const log = readFileSync(file)
  const entries: Entry[] = []
  for (let at = 0; at + headerBytes <= log.length; ) {
    const kind = kinds[log.readUInt32LE(at) - 1]
    if (kind === undefined) throw new Error(`unknown record at byte ${at} of ${file}`)
    const data = at + headerBytes + log.readUInt32LE(at + 4)
    const end = data + log.readUInt32LE(at + 8)
    if (end > log.length) break
    entries.push({
      kind,
      path: log.toString('utf8', at + headerBytes, data),
      timeMs: Number(log.readBigUInt64LE(at + 16)),
      inode: Number(log.readBigUInt64LE(at + 24)),
      number: log.readBigUInt64LE(at + 32),
      data: log.subarray(data, end),
      end,
    })
    at = end
  }
  return entries
}
