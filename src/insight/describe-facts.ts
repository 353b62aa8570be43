import { formatDate } from './calendar.js'
import type { Facts } from './facts.js'
import { neededDays } from './situation.js'
import type { Explanation } from './types.js'

type FactRow = Explanation['facts'][number]

/** A fact in words, shown when one of the members of `Facts` that it is about was read. */
interface FactDescription {
  readonly about: readonly string[]
  readonly name: (facts: Facts) => string
  readonly value: (facts: Facts) => string | number | undefined
  readonly path: (facts: Facts) => string | undefined
}

/** Describes the facts among `used`, with their place in the payload, in the order in which a reader asks for them. */
export function describeFacts(facts: Facts, used: ReadonlySet<string>): FactRow[] {
  // Describing reads facts, too.
  const read = new Set(used)
  return descriptions.flatMap((description) => {
    const value = description.value(facts)
    if (value === undefined || !description.about.some((member) => read.has(member))) return []
    const path = description.path(facts)
    return [{ name: description.name(facts), value: String(value), ...(path !== undefined && { path }) }]
  })
}

const compared = (member: string) => () => `/insightContext/comparison/${member}`
const judged = (member: string) => () => `/suppliedJudgment/${member}`
const named = (name: string) => () => name
const days = ({ family }: Facts) => (family === 'rest' ? 'nights' : 'days')

const descriptions: readonly FactDescription[] = [
  {
    about: ['window', 'mode'],
    name: named('page'),
    value: ({ mode, startDay, window }) => `${window} from ${formatDate(startDay)}, ${mode}`,
    path: named('/insightContext/mode'),
  },
  {
    about: ['today', 'isCurrent'],
    name: named("date of asOf in the pet's time zone"),
    value: ({ today }) => formatDate(today),
    path: named('/insightContext/asOf'),
  },
  { about: ['main'], name: nameOfMain, value: ({ main }) => main ?? 'none', path: ({ mainPath }) => mainPath },
  {
    about: ['goalMinutes'],
    name: named('daily goal in minutes'),
    value: ({ goalMinutes }) => goalMinutes ?? 'not set',
    path: named('/metrics/activityTime/activityMinutesGoal'),
  },
  {
    about: ['judgment', 'judgment.rating'],
    name: named('rating'),
    value: ({ judgment }) =>
      judgment === undefined ? 'none: no suppliedJudgment was sent' : (judgment.rating ?? 'null'),
    path: ({ judgment }) => (judgment === undefined ? undefined : '/suppliedJudgment/rating'),
  },
  {
    about: ['judgment.direction'],
    name: named('direction'),
    value: ({ judgment }) => judgment?.direction,
    path: judged('direction'),
  },
  {
    about: ['judgment.ratedDays'],
    name: (facts) => `rated ${days(facts)}`,
    value: ({ judgment, window }) =>
      judgment &&
      (window === 'day' ? judgment.ratedDays : `${judgment.ratedDays} (a conclusion needs ${neededDays[window]})`),
    path: ({ family }) => `/suppliedJudgment/${family === 'rest' ? 'ratedNights' : 'judgedDays'}`,
  },
  {
    about: ['daysOver'],
    name: (facts) => `${days(facts)} that are over`,
    value: ({ daysOver }) => daysOver,
    path: ({ family }) => (family === 'rest' ? '/period/elapsedNights' : '/period/endDate'),
  },
  {
    about: ['judgment.attentionDays'],
    name: (facts) => `attention ${days(facts)}`,
    value: ({ judgment }) => judgment?.attentionDays,
    path: ({ family }) => `/suppliedJudgment/${family === 'rest' ? 'lowRestDays' : 'unusualDays'}`,
  },
  {
    about: ['judgment.isDeteriorating'],
    name: named('deteriorating'),
    value: ({ judgment }) => (judgment?.isDeteriorating === false ? 'false' : undefined),
    path: judged('deteriorating'),
  },
  {
    about: ['recordCount'],
    name: (facts) => `${days(facts)} with records`,
    value: ({ recordCount }) => recordCount,
    path: pathOfRecords,
  },
  {
    about: ['eventCount'],
    name: ({ family, window }) => (family === 'rest' ? 'times woken' : window === 'day' ? 'barks' : 'barks a day'),
    value: ({ eventCount }) => eventCount,
    path: pathOfEvents,
  },
  {
    about: ['observedMinuteOfDay'],
    name: named("minute of the day of observedThrough, in the pet's time zone"),
    value: ({ observedMinuteOfDay }) => observedMinuteOfDay,
    path: named('/insightContext/observedThrough'),
  },
  {
    about: ['comparison.usualLower'],
    name: named('usual range, lower'),
    value: ({ comparison }) => comparison.usualLower,
    path: compared('usualLower'),
  },
  {
    about: ['comparison.usualUpper'],
    name: named('usual range, upper'),
    value: ({ comparison }) => comparison.usualUpper,
    path: compared('usualUpper'),
  },
  {
    about: ['comparison.changePercent'],
    name: named('change in percent'),
    value: ({ comparison }) => comparison.changePercent,
    path: compared('changePercent'),
  },
  {
    about: ['comparison.consecutiveUnusualDays'],
    name: (facts) => `unusual ${days(facts)} in a row`,
    value: ({ comparison }) => comparison.consecutiveUnusualDays,
    path: compared('consecutiveUnusualDays'),
  },
  {
    about: ['comparison.unusualLowDays'],
    name: named('low days'),
    value: ({ comparison }) => comparison.unusualLowDays,
    path: compared('unusualLowDays'),
  },
  {
    about: ['comparison.unusualHighDays'],
    name: named('high days'),
    value: ({ comparison }) => comparison.unusualHighDays,
    path: compared('unusualHighDays'),
  },
  {
    about: ['comparison.restRatingFactors'],
    name: named('rating factors'),
    value: ({ comparison }) => comparison.restRatingFactors.join(', ') || undefined,
    path: compared('restRatingFactors'),
  },
  {
    about: ['comparison.basis'],
    name: named('rated by'),
    value: ({ comparison }) => (comparison.basis === 'none' ? undefined : `${comparison.basis} values`),
    path: compared('pageEvaluationBasis'),
  },
  {
    about: ['baselineProgress'],
    name: named('progress of the personal range'),
    value: ({ baselineProgress }) =>
      baselineProgress && `${baselineProgress.validDays} of ${baselineProgress.requiredDays} days`,
    path: named('/insightContext/baselineProgress'),
  },
  {
    about: ['wearingMinutes'],
    name: named('minutes worn at night'),
    value: ({ nightMinutes, wearingMinutes }) => wearingMinutes && `${wearingMinutes} of ${nightMinutes}`,
    path: named('/metrics/night/wearingMinutes'),
  },
]

const vitalNames: Readonly<Record<string, string>> = {
  hr: 'resting heart rate per minute',
  hrv: 'heart rate variability at rest in ms',
  rr: 'resting breathing rate per minute',
}

function nameOfMain({ family, metric, window }: Facts): string {
  if (family === 'vital') return vitalNames[metric] ?? metric
  const amount = { activity: 'active minutes', rest: 'minutes of rest', bark: 'seconds of barking' }[family]
  return window === 'day' ? amount : `${amount} a ${family === 'rest' ? 'night' : 'day'}, on average`
}

function pathOfEvents({ family, window }: Facts): string {
  if (family === 'rest') return '/metrics/night/interruptions/count'
  return window === 'day' ? '/metrics/barkEventCount' : '/metrics/averageDailyBarkEventCount'
}

function pathOfRecords({ family }: Facts): string {
  if (family === 'activity') return '/metrics/activityTime/dailyActivityMinutes'
  return family === 'bark' ? '/metrics/dailyBarkDurations' : '/period/validNights'
}
