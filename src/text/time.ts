import { SvcError } from '../errors.js'

const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(2100, 0)
export const timeRange = 'from the year 2000 to 2099'

/** True for a time to which a clock may be set: its years have four digits everywhere. */
export function isInRange(time: number): boolean {
  return time >= earliest && time < latest
}

/**
 * Parses a day (midnight UTC) or an RFC 3339 time to epoch milliseconds. Throws an SvcError that names `flag`. A time without
 * its offset from UTC would mean another moment on each machine.
 */
export function parseTime(text: string, flag: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  const time = isTime ? Date.parse(text) : Number.NaN
  // JavaScript takes 31 February for 3 March.
  const day = isTime && new Date(`${text.slice(0, 10)}T00:00:00Z`)
  const isDay = day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10))
  if (isDay && isInRange(time)) return time
  const guess = guessTime(text)
  throw new SvcError(
    'invalid_request',
    `${flag} is ${JSON.stringify(text)}; it must be a day such as 2026-12-24 (midnight UTC) or a time such as ` +
      `2026-12-24T09:00:00Z, ${timeRange}.${guess === undefined ? '' : ` Did you mean ${guess}?`}`,
  )
}

/** Reads a day that is written `26.10.2026` or `2026/10/26`; undefined for other texts. `10/26/2026` may mean two days. */
export function guessDay(given: string): string | undefined {
  const text = given.replace(/^(\d\d?)\.(\d\d?)\.(\d{4})$/, '$3/$2/$1')
  const [, year, month = '', day = ''] = /^(\d{4})[./](\d\d?)[./](\d\d?)$/.exec(text) ?? []
  const guess = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${guess}T00:00:00Z`)
  return isInRange(time) && new Date(time).toISOString().startsWith(guess) ? guess : undefined
}

/** Reads a time without its offset, with a blank before it, or in seconds or milliseconds since 1970. */
function guessTime(text: string): string | undefined {
  if (/^\d{9,13}$/.test(text)) {
    const time = Number(text) * (text.length > 10 ? 1 : 1000)
    return isInRange(time) ? new Date(time).toISOString().replace('.000Z', 'Z') : undefined
  }
  const date = guessDay(text)
  if (date !== undefined) return date
  const [, day, time, offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?) *(Z|[+-]\d\d:\d\d)?$/i.exec(text) ?? []
  const guess = `${day}T${time}${offset}`
  const ms = Date.parse(guess)
  return isInRange(ms) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(`${day}`) ? guess : undefined
}
