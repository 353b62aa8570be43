import { dayMs, localDateTime } from './calendar.js'
import { cleanName, roundHalfUp } from './format.js'
import { type NightTimes, nightHours } from './night-times.js'
import type { ValidReading } from './reading.js'
import type { PayloadView } from './schema.js'
import { defaultLocale, type Locale, type Metric, type ViewWindow } from './types.js'
import { type Family, familyOf, isVital, minNightSamples, vitalInfixes, vitalMembers } from './vitals.js'

/**
 * The deduction factors that the texts name.
 * @NOTE contract: only `duration` is shown; the others are the further facts of the night.
 */
export const restFactors = new Set(['duration', 'interruptions', 'nightActivity', 'longestRestBlock'])

/**
 * The facts that a text may mention and a decision may use, taken from the reading of a valid payload.
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
  readonly species: 'dog' | 'cat'
  readonly startDay: number
  /** The calendar date of `asOf` in the pet's time zone. */
  readonly today: number
  /** True if the window contains today. */
  readonly isCurrent: boolean
  /** Days or nights of the window that are over. */
  readonly daysOver: number
  /** Local time of `observedThrough` in minutes after midnight; only for `today_so_far`. */
  readonly observedMinuteOfDay: number
  /** True if the last report of a page of today is from an earlier date: nothing of it is a fact about today. */
  readonly isNotYetObserved: boolean

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

/** Collects the facts of a reading. `locale` overrides the payload's own. */
export function readFacts(reading: ValidReading, locale?: Locale): Facts {
  const { payload: view, metric, viewWindow, start: startDay, end: endDay } = reading
  const family = familyOf(metric)
  const { period, insightContext: context } = view
  const today = reading.asOf.inZone
  const comparison = context.comparison ?? {}
  const measures = readMeasures[family][viewWindow === 'day' ? 'day' : 'period'](view, reading)
  const observed = context.mode === 'today_so_far' ? readObserved(reading) : undefined
  const isNotYetObserved = observed !== undefined && observed.day < startDay
  return {
    metric,
    family,
    window: viewWindow,
    mode: context.mode,
    locale: locale ?? view.locale ?? defaultLocale,
    petName: cleanName(view.petProfile.name) || view.petProfile.name,
    species: view.petProfile.species,
    startDay,
    today,
    isCurrent: startDay <= today && today <= endDay,
    daysOver: (family === 'rest' ? sent(period.elapsedNights) : undefined) ?? Math.min(endDay + 1, today) - startDay,
    observedMinuteOfDay: observed?.minuteOfDay ?? 0,
    isNotYetObserved,
    judgment: view.suppliedJudgment ? readJudgment(view.suppliedJudgment, family) : undefined,
    goalMinutes: aboveZero(view.metrics.activityTime?.activityMinutesGoal),
    wearingMinutes: sent(view.metrics.night?.wearingMinutes),
    nightMinutes: reading.night === undefined ? usualNightMinutes : measureNight(reading.night),
    main: isNotYetObserved ? undefined : measures.main,
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

/** A member that may be left out; null is the same. */
type Sent<Value> = Value | null | undefined

type MainMeasures = Pick<Facts, 'main' | 'mainPath' | 'eventCount' | 'recordCount'>
type MeasureReader = (view: PayloadView, reading: ValidReading) => MainMeasures

/** Readers of the numbers of a page, by family and kind of window. */
const readMeasures: Readonly<Record<Family, Readonly<Record<'day' | 'period', MeasureReader>>>> = {
  activity: {
    day: ({ metrics }) => ({
      main: sent(metrics.activityTime?.activityMinutes),
      mainPath: '/metrics/activityTime/activityMinutes',
      eventCount: undefined,
      recordCount: undefined,
    }),
    period: ({ metrics }, reading) => ({
      main: sent(metrics.activityTime?.averageDailyActivityMinutes),
      mainPath: '/metrics/activityTime/averageDailyActivityMinutes',
      eventCount: undefined,
      recordCount: countFinished(reading, 'dailyActivityMinutes'),
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
    day: (view) => readVital(view, undefined),
    period: (view) => readVital(view, sent(view.period.validNights)),
  },
  bark: {
    day: ({ metrics }) => ({
      main: sent(metrics.barkDurationSeconds),
      mainPath: '/metrics/barkDurationSeconds',
      eventCount: sent(metrics.barkEventCount),
      recordCount: undefined,
    }),
    period: ({ metrics }, reading) => ({
      main: sent(metrics.averageDailyBarkDurationSeconds),
      mainPath: '/metrics/averageDailyBarkDurationSeconds',
      eventCount: sent(metrics.averageDailyBarkEventCount),
      recordCount: countFinished(reading, 'dailyBarkDurations'),
    }),
  },
}

/**
 * Returns the night average, or the all-day average if there is no night average.
 * A rated day was judged on its night, for any number of samples; an unrated day needs enough of them.
 */
function readVital(view: PayloadView, recordCount: number | undefined): MainMeasures {
  const { allDayAverage, nightAverage } = vitalMembers(vitalInfixes[isVital(view.metric) ? view.metric : 'hr'])
  const { [nightAverage]: night, [allDayAverage]: allDay } = view.metrics
  const isRated = typeof view.suppliedJudgment?.rating === 'string'
  const nightCounts = view.viewWindow !== 'day' || isRated || (night?.sampleCount ?? minNightSamples) >= minNightSamples
  const nightValue = nightCounts ? aboveZero(night?.value) : undefined
  const allDayValue = (allDay?.sampleCount ?? 1) >= 1 ? aboveZero(allDay?.value) : undefined
  const mainPath = `/metrics/${nightValue === undefined ? allDayAverage : nightAverage}`
  return { main: nightValue ?? allDayValue, mainPath, eventCount: undefined, recordCount }
}

/** A night without rest is known only of a device that was worn. */
function readNightRest(night: PayloadView['metrics']['night']): number | undefined {
  const isWorn = roundHalfUp(night?.wearingMinutes ?? 1) > 0
  return isWorn ? sent(night?.nightRest?.minutes) : aboveZero(night?.nightRest?.minutes)
}

function readJudgment(judgment: NonNullable<PayloadView['suppliedJudgment']>, family: Family): Judgment {
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
function readProgress(progress: PayloadView['insightContext']['baselineProgress']): Facts['baselineProgress'] {
  const validDays = sent(progress?.validDays)
  const requiredDays = sent(progress?.requiredDays)
  if (validDays === undefined || requiredDays === undefined) return undefined
  const isWhole = Number.isInteger(validDays) && Number.isSafeInteger(requiredDays)
  return isWhole && validDays >= 0 && validDays < requiredDays ? { validDays, requiredDays } : undefined
}

/**
 * Length of the night: 9 or 11 hours around a clock change. Times other than 22:00 and 08:00, both to the minute, say
 * nothing of its length, nor do times without an offset.
 */
function measureNight({ startAt, endAt }: NightTimes): number {
  if (!startAt?.hasOffset || startAt.local?.minuteOfDay !== nightHours.start) return usualNightMinutes
  if (!endAt?.hasOffset || endAt.local?.minuteOfDay !== nightHours.end) return usualNightMinutes
  return toMinutes(endAt.instantMs ?? 0) - toMinutes(startAt.instantMs ?? 0)
}

/** Counts the days before today that have a number, in a daily array. */
function countFinished({ asOf, series, start }: ValidReading, name: string): number | undefined {
  const [values] = series.find(({ place }) => place.name === name)?.values ?? []
  return values?.filter((value, index) => value !== null && start + index < asOf.inZone).length
}

/** The local date and time of the last report. A time without an offset is a wall clock time already. */
function readObserved({ observed, observedMs, timezone }: ValidReading) {
  if (observed === undefined || observedMs === undefined) return undefined
  if (observed.offsetMinutes !== undefined) return localDateTime(observedMs, timezone)
  const day = Math.floor(observed.localMs / dayMs)
  return { day, minuteOfDay: toMinutes(observed.localMs - day * dayMs) }
}

const toMinutes = (ms: number) => Math.floor(ms / 60_000)
const sent = <T>(value: Sent<T>): T | undefined => value ?? undefined

/**
 * Returns a fact for which 0 means that there is no value: the vitals and nights of a pet, its goal. A value that
 * rounds to 0 is treated as 0, and 0 is treated as null. Source: health detail contract, 2.4.
 */
function aboveZero(value: Sent<number>): number | undefined {
  return typeof value === 'number' && roundHalfUp(value) > 0 ? value : undefined
}
