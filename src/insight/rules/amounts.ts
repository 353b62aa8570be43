import { describeNumber, listPlaces, nameMember } from '../describe-value.js'
import { type JsonObject, numberOf, objectOf } from '../json-object.js'
import type { NightTimes } from '../night-times.js'
import type { Reading } from '../reading.js'
import type { FactMember, Series } from '../series.js'
import type { Metric } from '../types.js'
import type { CheckedRule, ViolationDetails } from './rule.js'

/** Rules of how much time a day or a night has: numbers in another unit are accepted, but hardly meant. */
export const amountRules: readonly CheckedRule[] = [
  {
    id: 'metrics-beyond-day',
    severity: 'warning',
    section: '2.4',
    sentence: 'No day has more than 1440 minutes or 86400 seconds: durations are in the unit of their name.',
    good: { metrics: { activityTime: { activityMinutes: 210 } } },
    bad: { metrics: { activityTime: { activityMinutes: 12600 } } },
    metrics: ['activity', 'rest', 'bark'],
    check: checkDay,
  },
  {
    id: 'metrics-beyond-night',
    severity: 'warning',
    section: '2.4',
    sentence:
      'A night has 600 minutes from 22:00 to 08:00, or 660 when the clocks are set back: rest, activity and wearing in it are not longer.',
    good: { metrics: { night: { nightRest: { minutes: 512 } } } },
    bad: { metrics: { night: { nightRest: { minutes: 30720 } } } },
    metrics: ['rest'],
    check: checkNight,
  },
  {
    id: 'comparison-range-unit',
    severity: 'warning',
    section: '2.2.1',
    sentence:
      'The usual range has the unit of the main fact, minutes for activity and rest, seconds for bark, and does not go beyond a day.',
    good: { metric: 'rest', insightContext: { comparison: { usualLower: 420, usualUpper: 540 } } },
    bad: { metric: 'rest', insightContext: { comparison: { usualLower: 7, usualUpper: 9 } } },
    metrics: ['activity', 'rest', 'bark'],
    check: checkRange,
  },
]

/** The longest duration of something, and the smaller unit that a larger number is probably in. */
interface AmountLimit {
  readonly most: number
  readonly words: string
  readonly factor: number
  readonly smaller: string
}

const dayMinutes: AmountLimit = { most: 1440, words: 'a day has only 1440 minutes', factor: 60, smaller: 'seconds' }
const daySeconds: AmountLimit = {
  most: 86_400,
  words: 'a day has only 86400 seconds',
  factor: 1000,
  smaller: 'milliseconds',
}
/** The longest night, one in which the clocks are set back by an hour. */
const nightMinutes = 660
const usualNight = toNightLimit(nightMinutes)

/** A member that says how long something lasted. */
interface LimitedMember extends FactMember {
  readonly limit: AmountLimit
}

const dayPlaces: Readonly<Partial<Record<Metric, readonly LimitedMember[]>>> = {
  activity: [
    { block: 'activityTime', name: 'activityMinutes', limit: dayMinutes },
    { block: 'activityTime', name: 'activityMinutesGoal', limit: dayMinutes },
  ],
  bark: [
    { name: 'barkDurationSeconds', limit: daySeconds },
    { name: 'longestBarkEventDurationSeconds', limit: daySeconds },
  ],
}
const periodPlaces: Readonly<Partial<Record<Metric, readonly LimitedMember[]>>> = {
  activity: [{ block: 'activityTime', name: 'averageDailyActivityMinutes', limit: dayMinutes }],
  rest: [{ block: 'dayRest', name: 'averageMinutes', limit: dayMinutes }],
  bark: [{ name: 'averageDailyBarkDurationSeconds', limit: daySeconds }],
}
const daySeries: Readonly<Record<string, AmountLimit>> = {
  dailyActivityMinutes: dayMinutes,
  dailyDayRestMinutes: dayMinutes,
  dailyBarkDurations: daySeconds,
}
/** The members of `metrics.night`. */
const nightPlaces: readonly LimitedMember[] = [
  { block: 'nightRest', name: 'minutes', limit: usualNight },
  { block: 'nightActivity', name: 'minutes', limit: usualNight },
  { name: 'longestRestBlockMinutes', limit: usualNight },
  { name: 'wearingMinutes', limit: usualNight },
]
const nightAverage: LimitedMember = { block: 'nightRest', name: 'averageMinutes', limit: usualNight }

function checkDay({ metric, viewWindow, facts, series }: Reading): readonly ViolationDetails[] | undefined {
  const found: ViolationDetails[] = []
  if (metric === undefined) return undefined
  for (const place of (viewWindow === 'day' ? dayPlaces : periodPlaces)[metric] ?? [])
    checkNumber(facts, '/metrics', place, found)
  for (const one of series) {
    const limit = daySeries[one.place.name]
    if (limit !== undefined) checkValues(one, limit, found)
  }
  return found.length === 0 ? undefined : found
}

function checkNight({ facts, night: times, series, viewWindow }: Reading): readonly ViolationDetails[] | undefined {
  const found: ViolationDetails[] = []
  if (viewWindow !== 'day') {
    checkNumber(facts, '/metrics', nightAverage, found)
    for (const one of series) if (one.place.name === 'nightlyRestDurations') checkValues(one, usualNight, found)
    return found.length === 0 ? undefined : found
  }
  const night = objectOf(facts, 'night')
  for (const place of nightPlaces) checkNumber(night, '/metrics/night', place, found)
  if (found.length === 0) return undefined
  // A night that was sent longer than usual is as long as that.
  const limit = toNightLimit(Math.max(usualNight.most, minutesSent(times)))
  return nightPlaces.flatMap((place) => checkNumber(night, '/metrics/night', { ...place, limit }, []))
}

function toNightLimit(most: number): AmountLimit {
  return { most, words: `the night has at most ${most} minutes`, factor: 60, smaller: 'seconds' }
}

/** The time between the two ends that were sent; 0 without one of them. */
function minutesSent({ startAt, endAt }: Partial<NightTimes> = {}): number {
  if (startAt?.instantMs === undefined || endAt?.instantMs === undefined) return 0
  return (endAt.instantMs - startAt.instantMs) / 60_000
}

function checkNumber(
  members: JsonObject,
  above: string,
  { block, name, limit }: LimitedMember,
  found: ViolationDetails[],
): ViolationDetails[] {
  const value = numberOf(block === undefined ? members : objectOf(members, block), name)
  if (value !== undefined && value > limit.most) {
    found.push(exceeds(block === undefined ? `${above}/${name}` : `${above}/${block}/${name}`, value, limit))
  }
  return found
}

/** Adds one finding for an array. */
function checkValues({ place, values }: Series, limit: AmountLimit, found: ViolationDetails[]): void {
  for (let column = 0; column < values.length; column++) {
    const list = values[column] ?? []
    if (!hasMore(list, limit.most)) continue
    const indexes = list.flatMap((value, index) => (value !== null && value > limit.most ? index : []))
    const [first = 0] = indexes
    const member = place.numbers[column]
    const path = `${place.path}/${first}${member === undefined ? '' : `/${member}`}`
    found.push(exceeds(path, list[first] ?? 0, limit, listPlaces(indexes.slice(1))))
    return
  }
}

function hasMore(values: readonly (number | null)[], most: number): boolean {
  for (let index = 0; index < values.length; index++) if ((values[index] ?? 0) > most) return true
  return false
}

function exceeds(
  path: string,
  value: number,
  { most, words, factor, smaller }: AmountLimit,
  more = '',
): ViolationDetails {
  const hint = value / factor <= most ? `; it is ${describeNumber(value / factor)} if this is in ${smaller}` : ''
  return {
    path,
    message: `${nameMember(path)} is ${describeNumber(value)}, but ${words}${hint}.${more}`,
    expected: `at most ${most}`,
    actual: describeNumber(value),
  }
}

/** No pet rests as little as a day has hours, in minutes. */
const dayHours = 24

/** A pet may be active for so few minutes: only a day within the range, if that is in hours, tells. */
function isRangeOfHours({ metric, comparison, facts }: Reading, upper: number): boolean {
  if (metric === 'rest') return true
  const lower = numberOf(comparison, 'usualLower') ?? 0
  const minutes = numberOf(objectOf(facts, 'activityTime'), 'activityMinutes') ?? 0
  return metric === 'activity' && lower > 0 && minutes >= lower * 60 && minutes <= upper * 60
}

function checkRange(reading: Reading): ViolationDetails | undefined {
  const { metric, comparison } = reading
  const upper = numberOf(comparison, 'usualUpper')
  if (upper === undefined) return undefined
  const path = '/insightContext/comparison/usualUpper'
  const limit = metric === 'bark' ? daySeconds : dayMinutes
  if (upper > limit.most) return exceeds(path, upper, limit)
  if (upper <= 0 || upper > dayHours || !isRangeOfHours(reading, upper)) return undefined
  const actual = describeNumber(upper)
  return {
    path,
    message: `insightContext.comparison.usualUpper is ${actual} minutes of ${metric === 'rest' ? 'rest a night' : 'activity a day'}; it is ${describeNumber(upper * 60)} if this is in hours.`,
    expected: 'minutes',
    actual,
  }
}
