import { readPointer } from '../text/json-location.js'
import { listWords } from '../text/spelling.js'
import { isJsonObject } from './json-object.js'

/** Returns the name of the member at a JSON Pointer: `/metrics/dailySteps/3/date` is `metrics.dailySteps[3].date`. */
export function nameMember(path: string): string {
  return readPointer(path)
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join('')
    .replace(/^\./, '')
}

/** Members that say who the pet and its owner are: messages go to logs and reports, which must not. */
const personal = new Set(['/userId', '/petId', '/petProfile/name'])
const maxQuoted = 60

/** A short text for the value at a JSON Pointer, fit for a message. */
export function describeValue(value: unknown, path = ''): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (isJsonObject(value)) return 'an object'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number too large to read'
  if (typeof value !== 'string') return String(value)
  if (value !== '' && personal.has(path)) return `a string of ${value.length} characters`
  return JSON.stringify(value.length > maxQuoted ? `${value.slice(0, maxQuoted)}…` : value)
}

/** The kind of a value, for records that must not hold the value itself. */
export function describeKind(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string'
  if (typeof value === 'boolean') return 'a boolean'
  if (typeof value !== 'number') return 'an object'
  if (Number.isInteger(value)) return value < 0 ? 'a negative integer' : 'an integer'
  return value < 0 ? 'a negative number with a fraction' : 'a number with a fraction'
}

/** A number of a message: at most two decimals. */
export function describeNumber(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** "1 night", "6 finished days". */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/**
 * Returns the sentence about further entries of an array that are invalid like the one that a message names, or '':
 * " The same goes for 3 more entries: 4 to 6."
 */
export function listPlaces(indexes: readonly number[]): string {
  if (indexes.length === 0) return ''
  const runs: [first: number, last: number][] = []
  for (const index of indexes) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === index - 1) run[1] = index
    else runs.push([index, index])
  }
  const words = runs.map(([first, last]) => (first === last ? String(first) : `${first} to ${last}`))
  return ` The same goes for ${countWords(indexes.length, 'more entry', 'more entries')}: ${listWords(words, 'and')}.`
}
