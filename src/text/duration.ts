import { SvcError } from '../errors.js'

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses a time span such as `90s`, `30m`, `1h` or `30d` to milliseconds. Throws an SvcError that names `flag`. */
export function parseDurationMs(text: string, flag: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text)
  if (match !== null) return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs]
  throw new SvcError(
    'invalid_request',
    `${flag} is ${JSON.stringify(text)}; it must be a number with s, m, h or d, such as 1h.`,
  )
}

/** Describes a moved clock, such as `the real time plus 1 d 1 h`. */
export function describeOffset(offsetMs: number): string {
  if (offsetMs === 0) return 'the real time'
  return `the real time ${offsetMs > 0 ? 'plus' : 'minus'} ${describeDuration(Math.abs(offsetMs))}`
}

/** Describes a time span in units such as `1 d 1 h` or `90 ms`. */
function describeDuration(ms: number): string {
  const parts: string[] = []
  let left = Math.round(ms)
  for (const [unit, size] of Object.entries(unitMs).toReversed()) {
    if (left >= size) parts.push(`${Math.floor(left / size)} ${unit}`)
    left %= size
  }
  if (left > 0 || parts.length === 0) parts.push(`${left} ms`)
  return parts.join(' ')
}
