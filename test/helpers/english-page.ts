import type { HealthDetailPayload } from '../../src/insight/index.js'

type Json = Readonly<Record<string, unknown>>
export type EnglishPage = ReturnType<typeof readPage>

export const memberAt = (value: unknown, path: string): unknown =>
  path.split('/').reduce<unknown>((parent, key) => (parent as Json | null | undefined)?.[key], value)

/** Reads what a text may say from the members of a payload. */
export function readPage(payload: HealthDetailPayload) {
  const number = (path: string) => {
    const value = memberAt(payload, path)
    return typeof value === 'number' ? value : undefined
  }
  const { insightContext: context, metric, period, viewWindow } = payload
  const isDay = viewWindow === 'day'
  const infix = { hr: 'Hr', hrv: 'Rmssd', rr: 'Rr' }[metric as 'hr'] ?? ''
  const rating = memberAt(payload, 'suppliedJudgment/rating') as string | null | undefined
  const mains = {
    activity: number(`metrics/activityTime/${isDay ? 'activityMinutes' : 'averageDailyActivityMinutes'}`),
    // An average of 0 means that no rest is known.
    rest: isDay ? readNight(number) : aboveZero(number('metrics/nightRest/averageMinutes')),
    bark: number(isDay ? 'metrics/barkDurationSeconds' : 'metrics/averageDailyBarkDurationSeconds'),
  }
  const night = number(`metrics/nightRest${infix}Average/value`)
  const allDay = number(`metrics/allDayRest${infix}Average/value`)
  // A night counts with 4 samples, or where it was rated.
  const isRated = isDay && context.mode === 'selected_window' && rating != null
  const isNight = isRated || (number(`metrics/nightRest${infix}Average/sampleCount`) ?? 4) >= 4
  const vital = night !== undefined && round(night) > 0 && (!isDay || isNight) ? night : aboveZero(allDay)
  const scale = metric === 'bark' ? 60 : 1
  const main = infix === '' ? mains[metric as 'activity'] : vital
  const compared = (name: string) => number(`insightContext/comparison/${name}`)
  const counts = metric === 'rest' ? ['ratedNights', 'lowRestDays'] : ['judgedDays', 'unusualDays']
  const today = localDate(new Date(context.asOf), period.timezone)
  const elapsed = number('period/elapsedNights')
  const daysBefore = (end: string) => Math.round((Date.parse(end) - Date.parse(period.startDate)) / 86_400_000)
  return {
    payload,
    metric,
    isDay,
    name: payload.petProfile.name.replace(/\s+/g, ' ').trim(),
    mode: context.mode,
    rating,
    start: period.startDate,
    direction: memberAt(payload, 'suppliedJudgment/direction'),
    today,
    /** The date of the latest report, in the pet's zone; empty if it is not sent. */
    observedOn: context.observedThrough ? localDate(new Date(context.observedThrough), period.timezone) : '',
    /** Minutes, or the value of a vital. */
    main: main === undefined ? undefined : main / scale,
    goal: number('metrics/activityTime/activityMinutesGoal') ?? 0,
    lower: scaled(compared('usualLower'), scale),
    upper: scaled(compared('usualUpper'), scale),
    change: compared('changePercent'),
    streak: compared('consecutiveUnusualDays'),
    low: compared('unusualLowDays') ?? 0,
    high: compared('unusualHighDays') ?? 0,
    basis: memberAt(context, 'comparison/pageEvaluationBasis'),
    factors: (memberAt(context, 'comparison/restRatingFactors') ?? []) as readonly string[],
    rated: number(`suppliedJudgment/${counts[0]}`) ?? 0,
    unusual: number(`suppliedJudgment/${counts[1]}`),
    daysOver:
      metric === 'rest' && elapsed !== undefined
        ? elapsed
        : Math.min(daysBefore(period.endDate) + 1, daysBefore(today)),
    events: number(
      metric === 'rest'
        ? 'metrics/night/interruptions/count'
        : isDay
          ? 'metrics/barkEventCount'
          : 'metrics/averageDailyBarkEventCount',
    ),
    wearing: number('metrics/night/wearingMinutes'),
    progress: context.baselineProgress as { validDays: number; requiredDays: number } | undefined,
    isCurrent: period.startDate <= today && today <= period.endDate,
    records: countRecords(payload, today),
  }
}

/** A night without rest is known only of a device that was worn. */
function readNight(number: (path: string) => number | undefined): number | undefined {
  const rested = number('metrics/night/nightRest/minutes')
  const isWorn = round(number('metrics/night/wearingMinutes') ?? 1) > 0
  return isWorn || round(rested ?? 0) > 0 ? rested : undefined
}

const aboveZero = (value: number | undefined) => (round(value ?? 0) > 0 ? value : undefined)
const scaled = (value: number | undefined, scale: number) => (value === undefined ? undefined : value / scale)
/** Rounds half up; no number of a page is negative. */
export const round = (value: number) => Math.round(value)

/** The date of an instant in a time zone, by the runtime's own calendar. */
function localDate(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  )
}

function countRecords(payload: HealthDetailPayload, today: string): number | undefined {
  const { metric, period } = payload
  if (metric !== 'activity' && metric !== 'bark')
    return (memberAt(period, 'validNights') ?? undefined) as number | undefined
  const values = memberAt(
    payload.metrics,
    metric === 'bark' ? 'dailyBarkDurations' : 'activityTime/dailyActivityMinutes',
  )
  if (!Array.isArray(values)) return undefined
  const start = Date.parse(period.startDate)
  const isOver = (index: number) => start + index * 86_400_000 < Date.parse(today)
  const amountOf = (entry: unknown) => (typeof entry === 'object' ? memberAt(entry, 'barkDurationSeconds') : entry)
  return values.filter((entry, index) => typeof amountOf(entry) === 'number' && isOver(index)).length
}
