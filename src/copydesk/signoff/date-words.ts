import { formatClock, formatDay, formatNight } from '../../insight/format.js'
import type { Locale } from '../../insight/types.js'

/** Day numbers from 1970-01-01; 1970 is not a leap year. */
const monthStarts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
const yearLength = 365

/** Writes the dates and times that fixtures need not show: every month, nights that cross its end, every hour. */
export function dateWords(locale: Locale): string {
  const hours = Array.from({ length: 24 }, (_, hour) => formatClock(locale, hour * 60 + 5))
  const [january = 0] = monthStarts
  return [
    ...monthStarts.map((start) => formatDay(locale, start + 13, january)),
    ...monthStarts.map((start) => formatNight(locale, start + 13, january)),
    ...monthStarts.slice(1).map((start) => formatNight(locale, start, january)),
    formatDay(locale, 13, yearLength),
    formatNight(locale, 13, yearLength),
    formatNight(locale, 31, yearLength),
    formatNight(locale, yearLength, yearLength),
    formatNight(locale, yearLength, 0),
    ...hours,
  ].join(' | ')
}
