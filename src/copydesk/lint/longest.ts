import { decide } from '../../insight/decide.js'
import { type Facts, readFacts } from '../../insight/facts.js'
import { formatDay, formatNight } from '../../insight/format.js'
import {
  byLocale,
  type Copy,
  type HealthDetailPayload,
  type Locale,
  type Metric,
  metrics,
} from '../../insight/index.js'
import { readValidPayload } from '../../insight/reading.js'
import { renderSummary } from '../../insight/render.js'
import { familyOf } from '../../insight/vitals.js'
import type { ReviewTexts } from '../entries.js'

/** The longest text of a payload, and the patterns of the texts that the search rendered. */
interface Search {
  readonly payload: string
  readonly patterns: ReadonlyMap<string, string | undefined>
  readonly longest: string
}

/** The last search of each scenario and language: an edit of one text changes the result of few scenarios. */
const searches = new Map<string, Search>()

/**
 * Returns the longest text that can be made of the scenario of a payload in one language. `messages` are compiled from
 * `patterns`.
 */
export function findLongest(
  scenario: string,
  payload: HealthDetailPayload,
  locale: Locale,
  { messages, patterns }: { readonly messages: Copy['messages']; readonly patterns: ReviewTexts['patterns'] },
): string {
  const key = `${scenario} ${locale}`
  const content = JSON.stringify(payload)
  const former = searches.get(key)
  const isSame = ([id, pattern]: [string, string | undefined]) => patterns[locale][id] === pattern
  if (former?.payload === content && [...former.patterns].every(isSame)) return former.longest
  const used = new Map<string, string | undefined>()
  const noted = new Proxy(messages[locale], {
    get: (own, id: string) => {
      used.set(id, patterns[locale][id])
      return own[id]
    },
  })
  const longest = searchLongest(payload, locale, { ruleVersion: '', messages: { ...messages, [locale]: noted } })
  searches.set(key, { payload: content, patterns: used, longest })
  return longest
}

/**
 * Searches the longest text that can be made of the scenario of a payload in one language: changes one fact after the
 * other to the value that gives the longest text, until no change makes it longer. The name has 40 letters, numbers have
 * up to four digits, durations hours and minutes.
 */
function searchLongest(payload: HealthDetailPayload, locale: Locale, copy: Copy): string {
  const start = readFacts(readValidPayload(payload), locale)
  const { id } = decide(start).scenario
  const render = (facts: Facts) => {
    const decision = decide(facts)
    return decision.scenario.id === id ? renderSummary(facts, decision, copy) : ''
  }
  const isDay = start.window === 'day'
  const changes = [...common, ...(isDay ? ofDay : ofPeriod), ...(isDay && start.family === 'rest' ? ofRestDay : [])]
  // A basis leaves out the range: each is tried with everything else.
  const starts = isDay ? (['none', 'breed', 'general'] as const).map((basis) => compare({ basis })(start)) : [start]
  return starts.map((facts) => climb(facts, changes, render)).reduce(longer)
}

function climb(start: Facts, changes: readonly Change[], render: (facts: Facts) => string): string {
  let facts = start
  let text = render(start)
  // Changes that did not make the text longer since one did: all of them is the end.
  let vain = 0
  for (let next = 0; vain < changes.length; next = (next + 1) % changes.length) {
    const changed = changes[next]?.(facts) ?? facts
    const found = changed === facts ? text : render(changed)
    if (longer(text, found) === text) {
      vain += 1
      continue
    }
    vain = 0
    facts = changed
    text = found
  }
  return text
}

const longer = (one: string, other: string) => (other.length > one.length ? other : one)

type Change = (facts: Facts) => Facts
type PartialComparison = Partial<Facts['comparison']>
type PartialJudgment = Partial<NonNullable<Facts['judgment']>>

const set =
  (members: Partial<Facts>): Change =>
  (facts) => ({ ...facts, ...members })

const compare =
  (comparison: PartialComparison, members: Partial<Facts> = {}): Change =>
  (facts) => ({ ...facts, ...members, comparison: { ...facts.comparison, ...comparison } })

const judge =
  (judgment: PartialJudgment, comparison: PartialComparison = {}, members: Partial<Facts> = {}): Change =>
  (facts) => {
    const changed = compare(comparison, members)(facts)
    return facts.judgment === undefined ? changed : { ...changed, judgment: { ...facts.judgment, ...judgment } }
  }

// Values of facts that fit each other, such as a duration above its range, or as many unusual days as low and high.

const common: readonly Change[] = [
  set({ petName: 'Maximiliana Wolfeschlegelsteinhausenburg' }),
  ...metrics.map(measure),
  ...['Good', 'Fair', 'Poor', 'normal', 'low', 'high', 'calm'].map((rating) => judge({ rating })),
  (facts) => ({ ...facts, main: longestAmounts[facts.family] }),
  ...[0, 1, 1234].map((eventCount) => set({ eventCount })),
]

const ofDay: readonly Change[] = [
  (facts) => ({ ...facts, ...longestDates[facts.locale].day }),
  set({ observedMinuteOfDay: 779 }),
  judge({ attentionDays: 1, isDeteriorating: true }),
  compare({ usualLower: 779, usualUpper: 1379 }, { main: 1439 }),
  compare({ usualLower: 779, usualUpper: 1439 }, { main: 839 }),
  compare({ usualLower: 1379, usualUpper: 1439 }, { main: 779 }),
  compare({ usualLower: 1000, usualUpper: 1234 }, { main: 1234.4 }),
  compare({ usualLower: 1000, usualUpper: 1234 }, { main: 1111 }),
  compare({ usualLower: 1234, usualUpper: 2345 }, { main: 1233.6 }),
  compare({ usualUpper: 82_740 }, { main: 86_340 }),
  compare({ usualUpper: 86_340 }, { main: 82_740 }),
  set({ goalMinutes: 1439, main: 619 }),
  set({ goalMinutes: 1379, main: 1439 }),
  compare({ consecutiveUnusualDays: 1234 }),
  ...[0, 1233].map((validDays) =>
    compare({ usualLower: undefined, usualUpper: undefined }, { baselineProgress: { validDays, requiredDays: 1234 } }),
  ),
]

const ofRestDay: readonly Change[] = [
  (facts) => ({ ...facts, ...longestDates[facts.locale].night }),
  (facts) => (facts.mode === 'last_night' ? { ...facts, mode: 'selected_window' } : facts),
  ...listFactors().flatMap((restRatingFactors) =>
    [undefined, 1234].map((consecutiveUnusualDays) => compare({ restRatingFactors, consecutiveUnusualDays })),
  ),
  set({ wearingMinutes: 359, main: 359, baselineProgress: undefined }),
  set({ wearingMinutes: 359, main: undefined, baselineProgress: undefined }),
]

const ofPeriod: readonly Change[] = [
  ...(['week', 'month'] as const).flatMap((window) => [true, false].map((isCurrent) => set({ window, isCurrent }))),
  judge({ ratedDays: 30 }, {}, { daysOver: 31 }),
  judge({ ratedDays: 30, attentionDays: 30 }, {}, { daysOver: 31 }),
  judge({ ratedDays: 30, attentionDays: 29 }, {}, { daysOver: 31 }),
  judge({ ratedDays: 30, attentionDays: 29 }, { unusualLowDays: 29, unusualHighDays: 0 }, { daysOver: 31 }),
  judge({ ratedDays: 30, attentionDays: 29 }, { unusualLowDays: 0, unusualHighDays: 29 }, { daysOver: 31 }),
  judge({ ratedDays: 30, attentionDays: 29 }, { unusualLowDays: 15, unusualHighDays: 14 }, { daysOver: 31 }),
  ...[undefined, 0, 2].map((recordCount) => set({ recordCount })),
  ...[1234.5, -99, 0].map((changePercent) => compare({ changePercent })),
]

/** A rating belongs to its family of metrics. */
function measure(metric: Metric): Change {
  const family = familyOf(metric)
  return (facts) =>
    facts.judgment?.rating === undefined || facts.family === family ? { ...facts, metric, family } : facts
}

/** "23 h 59 min", "10 h 59 min", a number of four digits, "about 23 h 59 min". */
const longestAmounts: Readonly<Record<Facts['family'], number>> = {
  activity: 1439,
  rest: 659,
  vital: 1234,
  bark: 86_340,
}

function listFactors(): string[][] {
  const names = ['duration', 'interruptions', 'nightActivity', 'longestRestBlock']
  return names.flatMap((one) => names.map((other) => [one, other]))
}

type Dates = Pick<Facts, 'startDay' | 'today'>

const longestDates = byLocale((locale) => ({
  day: findDates((dates) => formatDay(locale, ...dates)),
  night: findDates((dates) => formatNight(locale, ...dates)),
}))

/** Finds the day of 2026 with the longest words, seen two years later, when they have their year. */
function findDates(write: (dates: readonly [day: number, today: number]) => string): Dates {
  const newYear = 20_454
  const days = Array.from({ length: 365 }, (_, index) => newYear + index)
  const startDay = days.reduce((best, day) => {
    const isLonger = longer(write([best, best + 730]), write([day, day + 730])) === write([day, day + 730])
    return isLonger ? day : best
  })
  return { startDay, today: startDay + 730 }
}
