import fc from 'fast-check'
import type { HealthDetailPayload } from '../../src/insight/index.js'
import { memberAt } from './english-page.js'
import { buildPayload, changePayload, combinations, type Mode, ratings } from './payloads.js'

/** Payloads that agree with themselves: every metric, window, rating and time zone, with values at the edges of rounding. */

/** The number of a page: its path, its greatest value, and the size of a minute, or of one beat. */
const mains = {
  activity: {
    day: '/activityTime/activityMinutes',
    period: '/activityTime/averageDailyActivityMinutes',
    most: 1440,
    unit: 1,
  },
  rest: { day: '/night/nightRest/minutes', period: '/nightRest/averageMinutes', most: 600, unit: 1 },
  hr: { day: '/nightRestHrAverage/value', period: '/nightRestHrAverage/value', most: 220, unit: 1 },
  hrv: { day: '/nightRestRmssdAverage/value', period: '/nightRestRmssdAverage/value', most: 220, unit: 1 },
  rr: { day: '/nightRestRrAverage/value', period: '/nightRestRrAverage/value', most: 60, unit: 1 },
  bark: { day: '/barkDurationSeconds', period: '/averageDailyBarkDurationSeconds', most: 86_400, unit: 60 },
} as const

/** Daily facts and other averages, which the chosen average need not agree with. */
const dailyFacts = [
  ...['/activityTime/dailyActivityMinutes', '/nightlyRestDurations', '/dailyBarkDurations', '/barkEventCount'],
  ...['Hr', 'Rmssd', 'Rr'].flatMap((infix) => [`/dailyNightRest${infix}`, `/dailyAllDayRest${infix}`]),
]

const zones = ['Asia/Shanghai', 'America/New_York', 'Europe/Madrid', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'UTC']
const names = [
  'Rex',
  '小满',
  'Señor Bigotes',
  'Maximiliana Wolfeschlegelsteinhausenburg',
  '  Rex ',
  'Señor\n Bigotes',
  'Ross’',
]

/** Multiples of a unit, and what lies just below and above the halves between them. */
const near = (most: number, unit: number) =>
  fc
    .tuple(
      fc.integer({ min: 0, max: Math.floor(most / unit) }),
      fc.constantFrom(-0.5, -0.4, 0, 0.04, 0.4, 0.49, 0.5, 0.51, 0.96),
    )
    .map(([whole, part]) => Math.min(most, Math.max(0, (whole + part) * unit)))

const offsets = [-120, -30, -1, -0.6, -0.5, -0.4, 0, 0.04, 0.4, 0.5, 0.6, 1, 30, 120]
const maybe = <Value>(...values: readonly Value[]) => fc.constantFrom(undefined, null, ...values)
const one = <Value>(values: readonly Value[]) => fc.constantFrom(...values)

/** The members of a week or month without barking, or without activity, in which some days have no record. */
function silenceDays({ metric, metrics }: HealthDetailPayload, unheard: readonly number[]): Record<string, unknown> {
  const path = { bark: 'dailyBarkDurations', activity: 'activityTime/dailyActivityMinutes' }[metric as 'bark']
  const days = path === undefined ? undefined : memberAt(metrics, path)
  if (!Array.isArray(days)) return {}
  const silent = days.map((day: { date: string } | number | null, index) => {
    if (day === null || unheard.includes(index)) return null
    return typeof day === 'number' ? 0 : { ...day, barkDurationSeconds: 0 }
  })
  const average = silent.some((day) => day !== null) ? 0 : null
  return metric === 'bark'
    ? {
        '/dailyBarkDurations': silent,
        '/averageDailyBarkDurationSeconds': average,
        '/averageDailyBarkEventCount': average,
        '/barkEventCount': average,
      }
    : { '/activityTime/dailyActivityMinutes': silent, '/activityTime/averageDailyActivityMinutes': average }
}

/** 9:40 PM of the date before that of a date-time, with the same offset. */
function toEveningBefore(dateTime: string): string {
  const date = new Date(Date.parse(`${dateTime.slice(0, 10)}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
  return `${date}T21:40:00${/(?:Z|[+-]\d\d:\d\d)$/.exec(dateTime)?.[0] ?? 'Z'}`
}

/** Returns payloads that may break a rule; the caller keeps the valid ones. */
export const truthPayloads: fc.Arbitrary<HealthDetailPayload> = one(combinations).chain(({ metric, viewWindow }) => {
  const { most, unit, ...paths } = mains[metric]
  const isDay = viewWindow === 'day'
  const modes: readonly Mode[] = isDay
    ? metric === 'rest'
      ? ['selected_window', 'today_so_far', 'last_night']
      : ['selected_window', 'today_so_far']
    : ['selected_window']
  const days = { day: 1, week: 7, month: 31 }[viewWindow]
  return fc
    .record({
      mode: one(modes),
      rating: one<string | null>(ratings[metric]),
      direction: one([-1, 0, 1, null] as const),
      count: fc.integer({ min: 0, max: days }),
      attention: fc.nat(days),
      judged: fc.boolean(),
      deteriorating: maybe(true, false),
      timezone: one(zones),
      date: one(['2026-10-14', '2026-01-01', '2026-12-31', '2026-03-29', '2025-12-30', '2026-02-28']),
      later: fc.integer({ min: 0, max: 3 }),
      name: one(names),
      species: one(['dog', 'dog', 'cat'] as const),
      /** The last report of a page of today: when it was seen, or the evening before. */
      isReportedToday: one([true, true, true, false]),
      /** The days of a silent week or month that lack a record. */
      unheard: maybe<readonly number[]>(
        [],
        [0],
        [1, 2],
        Array.from({ length: 31 }, (_, day) => day),
      ),
      main: fc.option(near(most, unit), { freq: 8 }),
      keepsDays: fc.boolean(),
      lower: maybe(...offsets.map((offset) => offset * unit)),
      upper: maybe(...offsets.map((offset) => offset * unit)),
      changePercent: maybe(-120, -100.4, -99.5, -22.4, -0.5, -0.49, 0, 0.49, 0.5, 12.5, 999.5, 1234.5),
      consecutiveUnusualDays: maybe(0, 1, 2, 3, 1234),
      low: maybe(0, 1, 2, 3),
      high: maybe(0, 1, 2, 3),
      restRatingFactors: maybe<string[]>(
        [],
        ['duration'],
        ['interruptions', 'duration'],
        ['nightActivity', 'longestRestBlock'],
        ['longestRestBlock', 'duration'],
        ['new', 'interruptions'],
      ),
      pageEvaluationBasis: maybe('personal', 'breed', 'general'),
      goal: maybe(0, 0.4, 1, 60, 95.5, 300, 1440),
      events: maybe(0, 0.3, 0.5, 1, 1.4, 2, 1234),
      wearing: maybe(0, 0.4, 60, 150.5, 359, 360, 600),
      progress: maybe(
        { validDays: 0, requiredDays: 1 },
        { validDays: 1, requiredDays: 2 },
        { validDays: 9, requiredDays: 14 },
      ),
    })
    .map((choice): HealthDetailPayload => {
      const { main, rating, mode } = choice
      const count = rating === null ? 0 : choice.count
      const payload = buildPayload({
        metric,
        viewWindow,
        mode,
        date: choice.date,
        timezone: choice.timezone,
        name: choice.name,
        species: choice.species,
        rating,
        direction: choice.direction,
        count,
        attentionDays: rating === null ? null : Math.min(choice.attention, Math.max(count, isDay ? 1 : 0)),
        ...(choice.deteriorating != null && { deteriorating: choice.deteriorating }),
        ...(!isDay && choice.later > 0 && { asOf: `2026-10-${14 + choice.later}T12:30`, date: '2026-10-14' }),
        ...(!choice.judged && (metric === 'activity' || metric === 'bark') && { judgment: null }),
        ...(choice.progress != null && { baselineProgress: choice.progress }),
        comparison: {
          usualLower: metric === 'bark' || choice.lower == null ? null : (main ?? most / 2) + choice.lower,
          usualUpper: choice.upper == null ? null : (main ?? most / 2) + choice.upper,
          changePercent: choice.changePercent,
          consecutiveUnusualDays: choice.consecutiveUnusualDays,
          unusualLowDays: choice.low,
          unusualHighDays: choice.high,
          restRatingFactors: choice.restRatingFactors,
          pageEvaluationBasis: choice.pageEvaluationBasis,
        },
      })
      const own = choice.keepsDays ? {} : Object.fromEntries(dailyFacts.map((path) => [path, undefined]))
      const changes = {
        ...(main !== null && !(choice.keepsDays && !isDay) && { [isDay ? paths.day : paths.period]: main }),
        ...(main === null && metric !== 'activity' && { [isDay ? paths.day : paths.period]: undefined }),
        ...(isDay ? {} : own),
        ...(metric === 'activity' && isDay && { '/activityTime/activityMinutesGoal': choice.goal }),
        ...(metric === 'bark' && { [isDay ? '/barkEventCount' : '/averageDailyBarkEventCount']: choice.events }),
        ...(metric === 'rest' &&
          isDay && { '/night/interruptions/count': choice.events, '/night/wearingMinutes': choice.wearing }),
      }
      const silence = !isDay && choice.keepsDays && choice.unheard != null ? silenceDays(payload, choice.unheard) : {}
      const { observedThrough } = payload.insightContext
      return changePayload(payload, {
        ...Object.fromEntries(
          Object.entries({ ...changes, ...silence }).map(([path, value]) => [`/metrics${path}`, value]),
        ),
        ...(observedThrough != null &&
          !choice.isReportedToday && { '/insightContext/observedThrough': toEveningBefore(observedThrough) }),
      })
    })
})
