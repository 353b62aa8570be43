import { formatDate } from './calendar.js'
import type { Facts } from './facts.js'
import { neededDays } from './situation.js'
import type { Explanation } from './types.js'

type FactRow = Explanation['facts'][number]

/** A text of a fact: the same for all pages, or written from the facts. */
type FactText = string | ((facts: Facts) => string | undefined)

/** A fact in words, shown when one of the members of `Facts` that it is about was read. */
interface FactDescription {
  readonly about: readonly string[]
  readonly name: FactText
  readonly value: (facts: Facts) => string | number | undefined
  readonly path: FactText
}

/** Describes the facts among `used`, with their place in the payload, in the order in which a reader asks for them. */
export function describeFacts(facts: Facts, used: ReadonlySet<string>): FactRow[] {
  // Describing reads facts, too.
  const read = new Set(used)
  return descriptions.flatMap((description) => {
    const value = description.value(facts)
    if (value === undefined || !description.about.some((member) => read.has(member))) return []
    const path = write(description.path, facts)
    return [{ name: write(description.name, facts) ?? '', value: String(value), ...(path !== undefined && { path }) }]
  })
}

const write = (text: FactText, facts: Facts) => (typeof text === 'string' ? text : text(facts))
const days = ({ family }: Facts) => (family === 'rest' ? 'nights' : 'days')

type ComparedNumber = Exclude<keyof Facts['comparison'], 'restRatingFactors' | 'basis'>

/** A number of `insightContext.comparison`. */
const compared = (member: ComparedNumber, name: FactText): FactDescription => ({
  about: [`comparison.${member}`],
  name,
  value: ({ comparison }) => comparison[member],
  path: `/insightContext/comparison/${member}`,
})

const descriptions: readonly FactDescription[] = [
  {
    about: ['window', 'mode'],
    name: 'page',
    value: ({ mode, startDay, window }) => `${window} from ${formatDate(startDay)}, ${mode}`,
    path: '/insightContext/mode',
  },
  {
    about: ['today', 'isCurrent'],
    name: "date of asOf in the pet's time zone",
    value: ({ today }) => formatDate(today),
    path: '/insightContext/asOf',
  },
  { about: ['main'], name: nameOfMain, value: ({ main }) => main ?? 'none', path: ({ mainPath }) => mainPath },
  {
    about: ['goalMinutes'],
    name: 'daily goal in minutes',
    value: ({ goalMinutes }) => goalMinutes ?? 'not set',
    path: '/metrics/activityTime/activityMinutesGoal',
  },
  {
    about: ['judgment', 'judgment.rating'],
    name: 'rating',
    value: ({ judgment }) =>
      judgment === undefined ? 'none: no suppliedJudgment was sent' : (judgment.rating ?? 'null'),
    path: ({ judgment }) => (judgment === undefined ? undefined : '/suppliedJudgment/rating'),
  },
  {
    about: ['judgment.direction'],
    name: 'direction',
    value: ({ judgment }) => judgment?.direction,
    path: '/suppliedJudgment/direction',
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
    name: 'deteriorating',
    value: ({ judgment }) => (judgment?.isDeteriorating === false ? 'false' : undefined),
    path: '/suppliedJudgment/deteriorating',
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
    name: "minute of the day of observedThrough, in the pet's time zone",
    value: ({ observedMinuteOfDay }) => observedMinuteOfDay,
    path: '/insightContext/observedThrough',
  },
  compared('usualLower', 'usual range, lower'),
  compared('usualUpper', 'usual range, upper'),
  compared('changePercent', 'change in percent'),
  compared('consecutiveUnusualDays', (facts) => `unusual ${days(facts)} in a row`),
  compared('unusualLowDays', 'low days'),
  compared('unusualHighDays', 'high days'),
  {
    about: ['comparison.restRatingFactors'],
    name: 'rating factors',
    value: ({ comparison }) => comparison.restRatingFactors.join(', ') || undefined,
    path: '/insightContext/comparison/restRatingFactors',
  },
  {
    about: ['comparison.basis'],
    name: 'rated by',
    value: ({ comparison }) => (comparison.basis === 'none' ? undefined : `${comparison.basis} values`),
    path: '/insightContext/comparison/pageEvaluationBasis',
  },
  {
    about: ['baselineProgress'],
    name: 'progress of the personal range',
    value: ({ baselineProgress }) =>
      baselineProgress && `${baselineProgress.validDays} of ${baselineProgress.requiredDays} days`,
    path: '/insightContext/baselineProgress',
  },
  {
    about: ['wearingMinutes'],
    name: 'minutes worn at night',
    value: ({ nightMinutes, wearingMinutes }) => wearingMinutes && `${wearingMinutes} of ${nightMinutes}`,
    path: '/metrics/night/wearingMinutes',
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
