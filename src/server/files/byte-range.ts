import type { ByteRange } from '../../ports/objects.js'

/**
 * Returns the part of a file that a `Range` header requests: `all` if the header is missing, malformed or has several
 * ranges, `none` if the range lies outside the file. Source: RFC 9110, 14.
 */
export function parseRange(header: string | null, sizeBytes: number): ByteRange | 'all' | 'none' {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  if (match === null || (match[1] === '' && match[2] === '')) return 'all'
  const last = sizeBytes - 1
  if (match[1] === '') {
    const bytes = Number(match[2])
    return bytes === 0 || sizeBytes === 0 ? 'none' : { start: Math.max(0, sizeBytes - bytes), end: last }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? last : Number(match[2])
  if (match[2] !== '' && end < start) return 'all'
  return start > last ? 'none' : { start, end: Math.min(end, last) }
}
