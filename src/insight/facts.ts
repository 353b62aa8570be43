import { localDateTime, parseDate, parseDateTime } from './calendar.js'
import { roundHalfUp } from './format.js'
import type { JsonObject } from './json-object.js'
import { nightHours } from './night-hours.js'
import type { JudgmentView, NightView, PayloadView, Sent, VitalAverage } from './payload-view.js'
import type { HealthDetailPayload } from './schema.js'
import { readSeries } from './series.js'
import type { Locale, Metric, ViewWindow } from './types.js'
import { defaultLocale } from './types.js'
import { type Family, familyOf, isVital, minNightSamples, vitalInfixes, vitalMembers } from './vitals.js'

/**
 * The facts that a text may mention and a decision may use, read once from a valid payload.
 * Durations are minutes for activity and rest, seconds for bark; vitals are per minute (hr, rr) or ms (hrv); days are
 * day numbers (see `calendar.ts`). A fact that was not sent, or was sent as null, is undefined.
 * Source: health detail contract, 2.2 to 2.4.
 */
export interface Facts {
  readonly metric: Metric
  readonly family: Family
  readonly window: ViewWindow
  readonly mode: 'today_so_far' | 'last_night' | 'selected_window'
  readonly locale: Locale
  readonly petName: string
  readonly startDay: number
  /** The calendar date of `asOf` in the pet's time zone. */
  readonly today: number
  /** True if the window contains today. */
  readonly isCurrent: boolean
  readonly isCompleted: boolean
  /** Local time of `observedThrough` in minutes after midnight; only for `today_so_far`. */
  readonly observedMinuteOfDay: number

  readonly judgment: Judgment | undefined
  /** The one number the page is about, and the JSON Pointer of where it is read. */
  readonly main: number | undefined
  readonly mainPath: string
  readonly goalMinutes: number | undefined
  /** Times woken (rest day), barks (bark day) or barks a day (bark week, month). */
  readonly eventCount: number | undefined
  readonly wearingMinutes: number | undefined
  readonly nightMinutes: number
  /** Days or nights of the window with records, when the payload tells. */
  readonly recordCount: number | undefined

  readonly comparison: ComparisonFacts
  readonly baselineProgress: { readonly validDays: number; readonly requiredDays: number } | undefined
}

/** The rating that came with the payload. Counts are days or nights. Source: health detail contract, 2.3. */
export interface Judgment {
  readonly rating: string | undefined
  readonly direction: number | undefined
  readonly ratedDays: number
  readonly attentionDays: number | undefined
  /** False only where the payload says that the direction does not count as worse. */
  readonly isDeteriorating: boolean
}

/** Ranges and comparisons: they shape the text and never the decision. Source: health detail contract, 2.2.1. */
export interface ComparisonFacts {
  readonly usualLower: number | undefined
  readonly usualUpper: number | undefined
  readonly changePercent: number | undefined
  readonly consecutiveUnusualDays: number | undefined
  readonly unusualLowDays: number | undefined
  readonly unusualHighDays: number | undefined
  readonly restRatingFactors: readonly string[]
  readonly basis: 'breed' | 'general' | 'none'
}

/** Length of a night without a change of clocks. */
const usualNightMinutes = 600

/** Reads the facts of a valid payload. `locale` overrides the payload's own. */
export function readFacts(payload: HealthDetailPayload, locale?: Locale): Facts {
  // The schema of this metric and window has been checked; this view is the union of them all, every member optional.
  const view = payload as unknown as PayloadView
  const family = familyOf(view.metric)
  const { period, insightContext: context } = view
  const startDay = parseDate(period.startDate) ?? 0
  const endDay = parseDate(period.endDate) ?? 0
  const today = readLocalTime(context.asOf, period.timezone).day
  const comparison = context.comparison ?? {}
  const measures = readMeasures[family][view.viewWindow === 'day' ? 'day' : 'period'](view, startDay, today)
  return {
    metric: view.metric,
    family,
    window: view.viewWindow,
    mode: context.mode,
    locale: locale ?? view.locale ?? defaultLocale,
    petName: view.petProfile.name,
    startDay,
    today,
    isCurrent: startDay <= today && today <= endDay,
    isCompleted: period.isCompleted,
    observedMinuteOfDay:
      context.mode === 'today_so_far' && context.observedThrough
        ? readLocalTime(context.observedThrough, period.timezone).minuteOfDay
        : 0,
    judgment: view.suppliedJudgment ? readJudgment(view.suppliedJudgment, family) : undefined,
    goalMinutes: aboveZero(view.metrics.activityTime?.activityMinutesGoal),
    wearingMinutes: sent(view.metrics.night?.wearingMinutes),
    // Only the night of a rest day is checked; elsewhere a member of that name may hold anything.
    nightMinutes:
      family === 'rest' && view.viewWindow === 'day'
        ? readNightMinutes(view.metrics.night, period.timezone)
        : usualNightMinutes,
    main: measures.main,
    mainPath: measures.mainPath,
    eventCount: measures.eventCount,
    recordCount: measures.recordCount,
    comparison: {
      usualLower: sent(comparison.usualLower),
      usualUpper: sent(comparison.usualUpper),
      changePercent: sent(comparison.changePercent),
      consecutiveUnusualDays: sent(comparison.consecutiveUnusualDays),
      unusualLowDays: sent(comparison.unusualLowDays),
      unusualHighDays: sent(comparison.unusualHighDays),
      restRatingFactors: comparison.restRatingFactors ?? [],
      basis: readBasis(comparison.pageEvaluationBasis),
    },
    baselineProgress: readProgress(context.baselineProgress),
  }
}

type Measures = Pick<Facts, 'main' | 'mainPath' | 'eventCount' | 'recordCount'>
type MeasureReader = (view: PayloadView, startDay: number, today: number) => Measures

/** Readers of the numbers of a page, by family and kind of window. */
const readMeasures: Readonly<Record<Family, Readonly<Record<'day' | 'period', MeasureReader>>>> = {
  activity: {
    day: ({ metrics }) => ({
      main: sent(metrics.activityTime?.activityMinutes),
      mainPath: '/metrics/activityTime/activityMinutes',
      eventCount: undefined,
      recordCount: undefined,
    }),
    period: ({ metrics }, startDay, today) => ({
      main: sent(metrics.activityTime?.averageDailyActivityMinutes),
      mainPath: '/metrics/activityTime/averageDailyActivityMinutes',
      eventCount: undefined,
      recordCount: countFinished(metrics, 'activity', startDay, today),
    }),
  },
  rest: {
    day: ({ metrics }) => ({
      main: readNightRest(metrics.night),
      mainPath: '/metrics/night/nightRest/minutes',
      eventCount: sent(metrics.night?.interruptions?.count),
      recordCount: undefined,
    }),
    period: ({ metrics, period }) => ({
      main: aboveZero(metrics.nightRest?.averageMinutes),
      mainPath: '/metrics/nightRest/averageMinutes',
      eventCount: undefined,
      recordCount: sent(period.validNights),
    }),
  },
  vital: {
    day: (view) => {
      const { main, mainPath } = readVital(view)
      return { main, mainPath, eventCount: undefined, recordCount: undefined }
    },
    period: (view) => {
      const { main, mainPath } = readVital(view)
      return { main, mainPath, eventCount: undefined, recordCount: sent(view.period.validNights) }
    },
  },
  bark: {
    day: ({ metrics }) => ({
      main: sent(metrics.barkDurationSeconds),
      mainPath: '/metrics/barkDurationSeconds',
      eventCount: sent(metrics.barkEventCount),
      recordCount: undefined,
    }),
    period: ({ metrics }, startDay, today) => ({
      main: sent(metrics.averageDailyBarkDurationSeconds),
      mainPath: '/metrics/averageDailyBarkDurationSeconds',
      eventCount: sent(metrics.averageDailyBarkEventCount),
      recordCount: countFinished(metrics, 'bark', startDay, today),
    }),
  },
}

/**
 * Returns the night average, or the all-day average if there is no night average.
 * A rated day was judged on its night, for any number of samples; an unrated day needs enough of them.
 */
function readVital(view: PayloadView): Pick<Facts, 'main' | 'mainPath'> {
  const { allDayAverage, nightAverage } = vitalMembers(vitalInfixes[isVital(view.metric) ? view.metric : 'hr'])
  const night = view.metrics[nightAverage] as VitalAverage | null | undefined
  const allDay = view.metrics[allDayAverage] as VitalAverage | null | undefined
  const isRated = typeof view.suppliedJudgment?.rating === 'string'
  const nightCounts = view.viewWindow !== 'day' || isRated || (night?.sampleCount ?? minNightSamples) >= minNightSamples
  const nightValue = nightCounts ? aboveZero(night?.value) : undefined
  if (nightValue !== undefined) return { main: nightValue, mainPath: `/metrics/${nightAverage}` }
  const allDayCounts = (allDay?.sampleCount ?? 1) >= 1
  return { main: allDayCounts ? aboveZero(allDay?.value) : undefined, mainPath: `/metrics/${allDayAverage}` }
}

/** A night without rest is known only of a device that was worn. */
function readNightRest(night: Sent<NightView>): number | undefined {
  const isWorn = roundHalfUp(night?.wearingMinutes ?? 1) > 0
  return isWorn ? sent(night?.nightRest?.minutes) : aboveZero(night?.nightRest?.minutes)
}

function readJudgment(judgment: JudgmentView, family: Family): Judgment {
  return {
    rating: sent(judgment.rating),
    direction: sent(judgment.direction),
    ratedDays: sent(family === 'rest' ? judgment.ratedNights : judgment.judgedDays) ?? 0,
    attentionDays: sent(family === 'rest' ? judgment.lowRestDays : judgment.unusualDays),
    isDeteriorating: judgment.deteriorating !== false,
  }
}

function readBasis(basis: Sent<string>): ComparisonFacts['basis'] {
  return basis === 'breed' || basis === 'general' ? basis : 'none'
}

/** Progress counts only while it is under way: 0 <= validDays < requiredDays. */
function readProgress(
  progress: Sent<{ validDays?: Sent<number>; requiredDays?: Sent<number> }>,
): Facts['baselineProgress'] {
  const validDays = sent(progress?.validDays)
  const requiredDays = sent(progress?.requiredDays)
  if (validDays === undefined || requiredDays === undefined) return undefined
  const isWhole = Number.isInteger(validDays) && Number.isSafeInteger(requiredDays)
  return isWhole && validDays >= 0 && validDays < requiredDays ? { validDays, requiredDays } : undefined
}

/**
 * Length of the night: 9 or 11 hours around a clock change. Times other than 22:00 and 08:00, both to the minute, say
 * nothing of its length.
 */
function readNightMinutes(night: Sent<NightView>, timezone: string): number {
  const start = night?.startAt ? readLocalTime(night.startAt, timezone) : undefined
  const end = night?.endAt ? readLocalTime(night.endAt, timezone) : undefined
  if (start?.instantMs === undefined || end?.instantMs === undefined) return usualNightMinutes
  if (start.minuteOfDay !== nightHours.start || end.minuteOfDay !== nightHours.end) return usualNightMinutes
  return Math.floor(end.instantMs / 60_000) - Math.floor(start.instantMs / 60_000)
}

/** Days before today that have a number, in the first daily array of a metric. */
function countFinished(
  facts: PayloadView['metrics'],
  metric: 'activity' | 'bark',
  startDay: number,
  today: number,
): number | undefined {
  const name = metric === 'activity' ? 'dailyActivityMinutes' : 'dailyBarkDurations'
  const series = readSeries(metric, facts as JsonObject, noInvalidPaths).find(({ place }) => place.name === name)
  if (series === undefined) return undefined
  return series.values[0]?.filter((value, index) => value !== null && startDay + index < today).length
}

const noInvalidPaths: ReadonlySet<string> = new Set()

/** Wall clock in the pet's time zone of a date-time (one without an offset is local already) or of an instant. */
function readLocalTime(
  time: string | number,
  timezone: string,
): { day: number; minuteOfDay: number; instantMs?: number } {
  if (typeof time === 'number') return { ...localDateTime(time, timezone), instantMs: time }
  const parsed = parseDateTime(time)
  if (parsed === undefined) throw new RangeError('a payload that was not validated: its times cannot be read')
  if (parsed.offsetMinutes === undefined) {
    const minutes = Math.floor(parsed.localMs / 60_000)
    return { day: Math.floor(minutes / 1440), minuteOfDay: ((minutes % 1440) + 1440) % 1440 }
  }
  const instantMs = parsed.localMs - parsed.offsetMinutes * 60_000
  const { day, minuteOfDay } = localDateTime(instantMs, timezone)
  return { day, minuteOfDay, instantMs }
}

const sent = <T>(value: Sent<T>): T | undefined => value ?? undefined

/**
 * Returns a fact for which 0 means that there is no value: the vitals and nights of a pet, its goal. A value that
 * rounds to 0 is treated as 0, and 0 is treated as null. Source: health detail contract, 2.4.
 */
function aboveZero(value: Sent<number>): number | undefined {
  return typeof value === 'number' && roundHalfUp(value) > 0 ? value : undefined
}
