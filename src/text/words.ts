import { SvcError } from '../errors.js'

/** Formats an amount with its noun: `1 payload`, `2 payloads`, `1,000 payloads`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${String(amount).replace(/\B(?=(\d{3})+$)/g, ',')} ${amount === 1 ? singular : plural}`
}

/** Parses an integer between two bounds. Throws an SvcError that names `what`. */
export function parseInteger(text: string, what: string, least: number, most: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const found = JSON.stringify(text)
  throw new SvcError('invalid_request', `${what} is ${found}, but must be an integer from ${least} to ${most}.`)
}

/**
 * Makes a text safe for one line of a terminal: a character that would move the cursor, ring the bell, or hide or
 * reverse the following text becomes a JSON escape. Keeps joiners and tags, which names, emoji and flags need.
 */
export function toPrintable(text: string): string {
  return text.replace(/(?!\u200C|\u200D|[\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, toEscape)
}

/** Applies `toPrintable` to each line of our own text. */
export function toPrintableLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n')
}

/** Like `toPrintable`, but also escapes joiners and tags. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, toEscape)
}

/** Formats a value as JSON in which every control character is an escape; `JSON.stringify` leaves those above U+007F. */
export function toJsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, undefined, indent).split('\n').map(escapeControls).join('\n')
}

/** Writes a character as JSON does: one above U+FFFF as two escapes. */
export function toEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Formats bytes as `10.01 MiB` or `900 KiB`. Rounds up, so that a size over a limit never reads like the limit. */
export function formatSize(sizeBytes: number): string {
  const [unit, name] = sizeBytes < mebibyte ? [kibibyte, 'KiB'] : [mebibyte, 'MiB']
  return `${Math.ceil((sizeBytes / unit) * 100) / 100} ${name}`
}
