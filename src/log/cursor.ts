import type { LogPosition } from './scan.js'

/** The first part, which tells the format of the rest. */
const version = '1'

/** Encodes a position for a URL: start time, process ID and offset of each file, in base 36. */
export function toCursor(position: LogPosition): string {
  const parts = [...position].flatMap(([name, offset]) => {
    const [, day, time, pid] = /^(\d{8})T(\d{9})Z-(\d+)\.jsonl$/.exec(name) ?? []
    if (day === undefined) return []
    return [[BigInt(`${day}${time}`), BigInt(pid ?? 0), offset].map((number) => number.toString(36)).join('-')]
  })
  return [version, ...parts].join('.')
}

/** Decodes a cursor. Skips parts that cannot be an offset in a log file. */
export function fromCursor(cursor: string): LogPosition {
  const position = new Map<string, number>()
  for (const part of cursor.split('.').slice(1)) {
    const [begin = 0n, pid = 0n, offset = 0n] = part.split('-').map(toNumber)
    if (begin >= beginsEnd || pid > Number.MAX_SAFE_INTEGER || offset > Number.MAX_SAFE_INTEGER) continue
    const digits = String(begin).padStart(17, '0')
    position.set(`${digits.slice(0, 8)}T${digits.slice(8)}Z-${pid}.jsonl`, Number(offset))
  }
  return position
}

/** File names have 17 digits. */
const beginsEnd = 10n ** 17n

function toNumber(text: string): bigint {
  return [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
}
