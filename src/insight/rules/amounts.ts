import { type Members, membersOf, numberOf } from '../members.js'
import { type Reading, readInstant } from '../reading.js'
import type { Series } from '../series.js'
import { describeNumber, listPlaces, nameMember } from '../wording.js'
import type { CheckedRule, Finding } from './rule.js'

/** Rules of how much time a day or a night has: numbers in another unit are accepted, but hardly meant. */
export const amountRules: readonly CheckedRule[] = [
  {
    id: 'metrics-beyond-day',
    severity: 'warning',
    section: '2.4',
    sentence: 'No day has more than 1440 minutes or 86400 seconds: durations are in the unit of their name.',
    good: { metrics: { activityTime: { activityMinutes: 210 } } },
    bad: { metrics: { activityTime: { activityMinutes: 12600 } } },
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

/** How long something can last, and the smaller unit that a larger number is probably in. */
interface Limit {
  readonly most: number
  readonly words: string
  readonly factor: number
  readonly smaller: string
}

const dayMinutes: Limit = { most: 1440, words: 'a day has only 1440 minutes', factor: 60, smaller: 'seconds' }
const daySeconds: Limit = { most: 86_400, words: 'a day has only 86400 seconds', factor: 1000, smaller: 'milliseconds' }
/** The longest night, one in which the clocks are set back by an hour. */
const nightMinutes = 660

/** The members of `metrics` that say how long something lasted on a day, as block and name. */
const dayPlaces: readonly (readonly [block: string | undefined, name: string, limit: Limit])[] = [
  ['activityTime', 'activityMinutes', dayMinutes],
  ['activityTime', 'averageDailyActivityMinutes', dayMinutes],
  ['activityTime', 'activityMinutesGoal', dayMinutes],
  ['dayRest', 'averageMinutes', dayMinutes],
  [undefined, 'barkDurationSeconds', daySeconds],
  [undefined, 'averageDailyBarkDurationSeconds', daySeconds],
  [undefined, 'longestBarkEventDurationSeconds', daySeconds],
]
const placesByMetric = {
  activity: dayPlaces.slice(0, 3),
  rest: dayPlaces.slice(3, 4),
  bark: dayPlaces.slice(4),
}
const daySeries: Readonly<Record<string, Limit>> = {
  dailyActivityMinutes: dayMinutes,
  dailyDayRestMinutes: dayMinutes,
  dailyBarkDurations: daySeconds,
}
/** The members of `metrics.night` that say how long something lasted, as block and name. */
const nightPlaces: readonly (readonly [block: string | undefined, name: string])[] = [
  ['nightRest', 'minutes'],
  ['nightActivity', 'minutes'],
  [undefined, 'longestRestBlockMinutes'],
  [undefined, 'wearingMinutes'],
]

function checkDay({ metric, facts, series }: Reading): readonly Finding[] | undefined {
  if (metric !== 'activity' && metric !== 'rest' && metric !== 'bark') return undefined
  let findings: Finding[] | undefined
  for (const [block, name, limit] of placesByMetric[metric]) {
    const finding = checkNumber(facts, '/metrics', block, name, limit)
    if (finding !== undefined) findings = [...(findings ?? []), finding]
  }
  for (const one of series) {
    const limit = daySeries[one.place.name]
    const finding = limit === undefined ? undefined : checkValues(one, limit)
    if (finding !== undefined) findings = [...(findings ?? []), finding]
  }
  return findings
}

function checkNight(reading: Reading): readonly Finding[] | undefined {
  const { facts, series, viewWindow } = reading
  let findings: Finding[] | undefined
  if (viewWindow === 'day') {
    const night = membersOf(facts, 'night')
    let limit = toNightLimit(nightMinutes)
    // The sent ends of a night matter only where some number is beyond the usual one.
    if (nightPlaces.every(([block, name]) => (findNumber(night, block, name) ?? 0) <= limit.most)) return undefined
    limit = toNightLimit(Math.max(nightMinutes, readNightMinutes(night, reading.timezone)))
    for (const [block, name] of nightPlaces) {
      const finding = checkNumber(night, '/metrics/night', block, name, limit)
      if (finding !== undefined) findings = [...(findings ?? []), finding]
    }
    return findings
  }
  const limit = toNightLimit(nightMinutes)
  const average = checkNumber(facts, '/metrics', 'nightRest', 'averageMinutes', limit)
  const nights = series.find(({ place }) => place.name === 'nightlyRestDurations')
  const nightly = nights === undefined ? undefined : checkValues(nights, limit)
  if (average === undefined && nightly === undefined) return undefined
  return [average, nightly].filter((finding) => finding !== undefined)
}

function toNightLimit(most: number): Limit {
  return { most, words: `the night has at most ${most} minutes`, factor: 60, smaller: 'seconds' }
}

function readNightMinutes({ startAt, endAt }: Members, timezone: string | undefined): number {
  const [start, end] = [startAt, endAt].map((value) =>
    typeof value === 'string' ? readInstant(value, timezone) : typeof value === 'number' ? value : undefined,
  )
  return start === undefined || end === undefined ? 0 : (end - start) / 60_000
}

function checkNumber(
  members: Members,
  above: string,
  block: string | undefined,
  name: string,
  limit: Limit,
): Finding | undefined {
  const value = findNumber(members, block, name)
  if (value === undefined || value <= limit.most) return undefined
  return exceeds(block === undefined ? `${above}/${name}` : `${above}/${block}/${name}`, value, limit)
}

function findNumber(members: Members, block: string | undefined, name: string): number | undefined {
  return numberOf(block === undefined ? members : membersOf(members, block), name)
}

function checkValues({ place, values }: Series, limit: Limit): Finding | undefined {
  for (let column = 0; column < values.length; column++) {
    const list = values[column] ?? []
    if (!hasMore(list, limit.most)) continue
    const indexes = list.flatMap((value, index) => (value !== null && value > limit.most ? index : []))
    const [first] = indexes
    if (first === undefined) continue
    const member = place.numbers[column]
    const path = `${place.path}/${first}${member === undefined ? '' : `/${member}`}`
    return exceeds(path, list[first] ?? 0, limit, listPlaces(indexes.slice(1)))
  }
  return undefined
}

function hasMore(values: readonly (number | null)[], most: number): boolean {
  for (const value of values) if (value !== null && value > most) return true
  return false
}

function exceeds(path: string, value: number, { most, words, factor, smaller }: Limit, more = ''): Finding {
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

function checkRange({ metric, comparison }: Reading): Finding | undefined {
  const upper = numberOf(comparison, 'usualUpper')
  if (upper === undefined) return undefined
  const path = '/insightContext/comparison/usualUpper'
  const limit = metric === 'bark' ? daySeconds : dayMinutes
  if (upper > limit.most) return exceeds(path, upper, limit)
  if (metric !== 'rest' || upper <= 0 || upper > dayHours) return undefined
  const actual = describeNumber(upper)
  return {
    path,
    message: `insightContext.comparison.usualUpper is ${actual} minutes of rest a night; it is ${describeNumber(upper * 60)} if this is in hours.`,
    expected: 'minutes',
    actual,
  }
}
