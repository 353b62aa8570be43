import { formatDate } from '../calendar.js'
import { describeValue } from '../describe-value.js'
import { nightHours } from '../night-times.js'
import type { Reading } from '../reading.js'
import type { CheckedRule, ViolationDetails } from './rule.js'
import { structural } from './structural.js'

/** Rules of the night of a rest day. */
export const nightRules: readonly CheckedRule[] = [
  {
    id: 'night-time',
    severity: 'error',
    section: '2.4',
    sentence:
      "night.startAt is 22:00 of the day before and night.endAt 08:00 of the day, in the pet's time zone, as ISO 8601 date-times.",
    good: {
      period: { startDate: '2026-10-14' },
      metrics: { night: { startAt: '2026-10-13T22:00:00+08:00', endAt: '2026-10-14T08:00:00+08:00' } },
    },
    bad: {
      period: { startDate: '2026-10-14' },
      metrics: { night: { startAt: '2026-10-12T22:00:00+08:00', endAt: '2026-10-13T08:00:00+08:00' } },
    },
    metrics: ['rest'],
    windows: ['day'],
    check: (reading) => checkNight(reading, 'error'),
  },
  {
    id: 'night-time-shifted',
    severity: 'warning',
    section: '2.4',
    sentence:
      'The night begins and ends on the hour of the contract; other hours are accepted, as a pet may have traveled.',
    good: { period: { startDate: '2026-10-14' }, metrics: { night: { startAt: '2026-10-13T22:00:00+08:00' } } },
    bad: { period: { startDate: '2026-10-14' }, metrics: { night: { startAt: '2026-10-13T21:00:00+08:00' } } },
    metrics: ['rest'],
    windows: ['day'],
    check: (reading) => checkNight(reading, 'warning'),
  },
  {
    id: 'night-time-number',
    severity: 'warning',
    section: '2.4',
    sentence: 'night.startAt and night.endAt are strings; integers are read as milliseconds since 1970.',
    good: { metrics: { night: { startAt: '2026-10-13T22:00:00+08:00' } } },
    bad: { metrics: { night: { startAt: 1791900000000 } } },
    metrics: ['rest'],
    windows: ['day'],
    check: checkNumbers,
  },
  ...structural('night-is-completed'),
]

const nightEnds = [
  {
    name: 'startAt',
    dayShift: -1,
    minuteOfDay: nightHours.start,
    words: '22:00 of the day before',
    order: 'before night.endAt',
  },
  { name: 'endAt', dayShift: 0, minuteOfDay: nightHours.end, words: '08:00 of the day', order: 'after night.startAt' },
] as const
/** As far as travel between time zones takes a clock. */
const maxShiftMinutes = 14 * 60

/** One end of the night as it was sent. */
interface NightEnd {
  readonly place: (typeof nightEnds)[number]
  readonly value: string | number
  /** `undefined` where no such time exists. */
  readonly instantMs: number | undefined
  /** Minutes between its wall clock and that of the contract: a night in which the clocks change is as good as any. */
  readonly shiftMinutes: number
}

/** A problem with one end of the night, and its size. */
interface NightDefect {
  readonly severity: 'error' | 'warning'
  readonly words: string
}

function checkNight(reading: Reading, severity: NightDefect['severity']): readonly ViolationDetails[] | undefined {
  const { start, timezone } = reading
  const ends = readEnds(reading)
  if (start === undefined || ends.every(({ shiftMinutes }) => shiftMinutes === 0)) return undefined
  return ends.flatMap((end) => {
    const defect = findDefect(end, ends)
    if (defect?.severity !== severity) return []
    const { name, words } = end.place
    const expected = `${words} ${formatDate(start)} in ${timezone}`
    const actual = describeValue(end.value)
    const message = `night.${name} is ${actual}, ${defect.words}: ${expected} was expected.`
    return { path: `/metrics/night/${name}`, message, expected, actual }
  })
}

/** @NOTE contract: the type of the two times is not shown; the other timestamps of a rest payload are numbers. */
function checkNumbers(reading: Reading): readonly ViolationDetails[] | undefined {
  const { night } = reading
  if (nightEnds.every(({ name }) => typeof night?.[name]?.value !== 'number')) return undefined
  const ends = readEnds(reading)
  return ends
    .filter((end) => typeof end.value === 'number' && findDefect(end, ends)?.severity !== 'error')
    .map(({ place: { name }, value }) => ({
      path: `/metrics/night/${name}`,
      message: `night.${name} is the number ${value}, read as milliseconds since 1970: an ISO 8601 date-time with its offset was expected.`,
      expected: 'an ISO 8601 date-time with its offset',
      actual: String(value),
    }))
}

function readEnds({ night, start, days, timezone }: Reading): readonly NightEnd[] {
  if (night === undefined || start === undefined || days === undefined || timezone === undefined) return []
  return nightEnds.flatMap((place) => {
    const time = night[place.name]
    if (time === undefined) return []
    const { value, instantMs, local } = time
    if (local === undefined) return { place, value, instantMs, shiftMinutes: Number.POSITIVE_INFINITY }
    const shiftMinutes = Math.abs((local.day - start - place.dayShift) * 1440 + local.minuteOfDay - place.minuteOfDay)
    return { place, value, instantMs, shiftMinutes }
  })
}

/** Picks the end to report when the two are the wrong way round: the one further from its hour. */
function findDefect(end: NightEnd, ends: readonly NightEnd[]): NightDefect | undefined {
  if (end.instantMs === undefined)
    return { severity: 'error', words: 'but must be an ISO 8601 date-time with its offset, on an existing date' }
  if (end.shiftMinutes > maxShiftMinutes) return { severity: 'error', words: 'which is not the night of this day' }
  if (end.shiftMinutes === 0) return undefined
  const other = ends.find((one) => one !== end && one.shiftMinutes <= maxShiftMinutes)
  const isFurther = other !== undefined && end.shiftMinutes >= other.shiftMinutes
  if (isFurther && !isInOrder(ends)) return { severity: 'error', words: `which is not ${end.place.order}` }
  return { severity: 'warning', words: 'another hour than usual' }
}

function isInOrder([start, end]: readonly NightEnd[]): boolean {
  return start?.instantMs === undefined || end?.instantMs === undefined || start.instantMs < end.instantMs
}
