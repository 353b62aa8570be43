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

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses a time span such as `90s`, `30m`, `1h` or `30d` to milliseconds. Throws an SvcError that names `flag`. */
export function parseDurationMs(text: string, flag: string): number {
  const ms = text.endsWith('ms') ? undefined : toMs(text)
  if (ms !== undefined) return ms
  const guess = guessDuration(text)
  const advice = guess === undefined ? '' : ` Did you mean ${guess}?`
  throw new SvcError(
    'invalid_request',
    `${flag} is ${JSON.stringify(text)}; it must be a number with s, m, h or d, such as 1h.${advice}`,
  )
}

/** Parses a time span such as `200ms`, `8s` or `5m` to milliseconds; undefined for other texts. */
export function toMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text) ?? []
  return unit === undefined ? undefined : Number(count) * unitMs[unit as keyof typeof unitMs]
}

const words: readonly (readonly [word: RegExp, ms: number])[] = [
  [/^m(illi)?s(ec(ond)?s?)?$/, unitMs.ms],
  [/^s(ec(ond)?s?)?$/, unitMs.s],
  [/^m(in(ute)?s?)?$/, unitMs.m],
  [/^h((ou)?rs?)?$/, unitMs.h],
  [/^d(ays?)?$/, unitMs.d],
  [/^w(eeks?)?$/, 7 * unitMs.d],
]

/**
 * Reads a time span that is written in another way, such as `1.5h`, `1h30m` or `2 weeks`; undefined for other texts. The
 * result is in `smallest` or a larger unit.
 */
export function guessDuration(text: string, smallest: 'ms' | 's' = 's'): string | undefined {
  if (!/^( *\d{1,6}(\.\d{1,3})? *[a-z]+)+$/i.test(text)) return undefined
  let ms = 0
  for (const [, count, unit = ''] of text.matchAll(/([\d.]+) *([a-z]+)/gi)) {
    ms += Number(count) * (words.find(([word]) => word.test(unit.toLowerCase()))?.[1] ?? Number.NaN)
  }
  const units = Object.entries(unitMs).filter(([, each]) => each >= unitMs[smallest])
  const [unit, size = 1] = units.findLast(([, each]) => ms % each === 0) ?? []
  return unit === undefined || ms === 0 ? undefined : `${ms / size}${unit}`
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
  return parts.join(' ') || '0 ms'
}

let lastTime = Number.NaN
let lastText = ''

/** Formats epoch milliseconds as ISO 8601 in UTC. Keeps the last text: formatting takes longer than routing, and many calls share a millisecond. */
export function toTimestamp(time: number): string {
  if (time !== lastTime) {
    lastText = new Date(time).toISOString()
    lastTime = time
  }
  return lastText
}
