import type { Reading } from '../../src/insight/reading.js'

/**
 * Returns all values of a reading as one text; members that are `undefined` are missing. The members of daily arrays are
 * those of the series: a payload that was not parsed does not hold them.
 */
export function writeReading(reading: Reading): string {
  const arrays = new Set(reading.series.map(({ place }) => place.name))
  const write = (name: string, value: unknown) => {
    if (arrays.has(name)) return undefined
    // JSON has no text for these two.
    if (Object.is(value, -0)) return { negativeZero: true }
    return value instanceof Set ? [...value] : value
  }
  return JSON.stringify(reading, (name, value) => {
    const written = write(name, value)
    // Members may come in another order.
    const isObject = typeof written === 'object' && written !== null && !Array.isArray(written)
    return isObject ? Object.fromEntries(Object.entries(written).sort(byName)) : written
  })
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
