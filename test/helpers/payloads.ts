/** Valid health-detail payloads with realistic numbers, for every metric and window; tests then change a member or two. */
import {
  dateParts,
  daysInMonth,
  formatDate,
  localDateTime,
  parseDate,
  parseDateTime,
  toInstant,
} from '../../src/insight/calendar.js'
import type { HealthDetailPayload } from '../../src/insight/schema.js'
import { type Locale, type Metric, metrics, type ViewWindow, viewWindows } from '../../src/insight/types.js'

export type Mode = 'today_so_far' | 'last_night' | 'selected_window'

export interface PayloadOptions {
  readonly metric: Metric
  readonly viewWindow: ViewWindow
  /** Default `selected_window`. */
  readonly mode?: Mode
  /** First day of the window; moved to the Monday or first of the month. Default in October 2026. */
  readonly date?: string
  /** Default `Asia/Shanghai`. */
  readonly timezone?: string
  /** Local view time `YYYY-MM-DDTHH:mm`, or a whole date-time with offset. Default: 10:30 on the day after the window; 16:05 (rest: 09:05) on the day itself for the modes of today. */
  readonly asOf?: string
  readonly locale?: Locale
  readonly name?: string
  readonly species?: 'dog' | 'cat'
  /** Default: the best rating of the metric. `null`: no rating yet. */
  readonly rating?: string | null
  /** `null`: none of the optional judgment is sent (activity, bark). */
  readonly judgment?: null
  readonly direction?: -1 | 0 | 1 | null
  readonly deteriorating?: boolean
  /** Rated days or nights. Default: all finished ones. */
  readonly count?: number
  /** Attention days. Default 0; null without a rating. */
  readonly attentionDays?: number | null
  readonly comparison?: Readonly<Record<string, unknown>> | null
  readonly baselineProgress?: { readonly validDays: number; readonly requiredDays: number }
}

/** The ratings of each metric. Null: there is no rating yet. */
export const ratings = {
  activity: ['normal', 'fluctuating', 'low', 'high', null],
  rest: ['Good', 'Fair', 'Poor', null],
  hr: ['normal', 'balanced', 'fluctuating', 'low', 'high', null],
  hrv: ['normal', 'balanced', 'fluctuating', 'low', 'high', null],
  rr: ['normal', 'balanced', 'fluctuating', 'low', 'high', null],
  bark: ['calm', 'active', 'frequent', null],
} as const

/** The 18 combinations of metric and window. */
export const combinations: readonly { readonly metric: Metric; readonly viewWindow: ViewWindow }[] = metrics.flatMap(
  (metric) => viewWindows.map((viewWindow) => ({ metric, viewWindow })),
)

/** A valid payload without a single warning. */
export function buildPayload(options: PayloadOptions): HealthDetailPayload {
  const frame = toFrame(options)
  const { metric, viewWindow, mode } = frame
  const period = viewWindow !== 'day'
  const payload = {
    schemaVersion: 'health-detail-v3',
    userId: 'user-20418',
    petId: 'pet-7731',
    metric,
    viewWindow,
    locale: options.locale ?? 'en-US',
    petProfile: { name: options.name ?? 'Mochi', species: options.species ?? 'dog' },
    period: {
      startDate: formatDate(frame.start),
      endDate: formatDate(frame.end),
      timezone: frame.timezone,
      isCompleted: frame.end < frame.today,
      ...(period && (metric === 'rest' || isVital(metric))
        ? { elapsedNights: frame.elapsed, validNights: frame.elapsed }
        : {}),
    },
    insightContext: {
      mode,
      asOf: frame.asOf,
      ...(mode === 'today_so_far' ? { observedThrough: frame.asOf } : {}),
      factVersion: 'facts-5f0c2d91',
      ...(metric === 'rest' ? { sourceSnapshot: buildSnapshot(frame.asOfMs) } : {}),
      ...(options.baselineProgress === undefined ? {} : { baselineProgress: options.baselineProgress }),
      ...(options.comparison === null ? {} : { comparison: options.comparison ?? buildComparison(frame) }),
    },
    ...(options.judgment === null ? {} : { suppliedJudgment: buildJudgment(options, frame) }),
    metrics: buildMetrics(frame),
  }
  // The tests of the validator check the payloads of this builder, combination by combination.
  return payload as unknown as HealthDetailPayload
}

/**
 * A deep copy of a payload with the members at JSON Pointers set; `undefined` removes the member.
 * The result is as valid as the change.
 */
export function changePayload(payload: HealthDetailPayload, changes: Readonly<Record<string, unknown>>) {
  const copy = structuredClone(payload)
  for (const [pointer, value] of Object.entries(changes)) {
    const names = pointer.split('/').slice(1)
    const last = names.pop() ?? ''
    let parent = copy as unknown as Record<string, unknown>
    for (const name of names) {
      parent[name] ??= {}
      parent = parent[name] as Record<string, unknown>
    }
    if (value === undefined) delete parent[last]
    else parent[last] = structuredClone(value)
  }
  return copy
}

/** Lists every JSON Pointer of a payload, members and elements alike. */
export function listPointers(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [
    `${path}/${name}`,
    ...listPointers(child, `${path}/${name}`),
  ])
}

/** The old placeholder blocks that a caller may still send; they change neither validity nor text. */
export function addPlaceholders(payload: HealthDetailPayload): HealthDetailPayload {
  const { viewWindow, metric } = payload
  const days = toDay(payload.period.endDate) - toDay(payload.period.startDate) + 1
  const unavailable = { status: 'unavailable', lower: null, upper: null, validDays: null }
  const rest = {
    '/metrics/anomalyNights': [],
    ...(viewWindow === 'day'
      ? {
          '/metrics/day': { hourlyRestMinutes: Array.from({ length: 24 }, (_, hour) => ({ hour, restMinutes: null })) },
        }
      : { '/metrics/dailyDayRestMinutes': Array(days).fill(null), '/metrics/dayRest': { averageMinutes: null } }),
  }
  return changePayload(payload, {
    '/previousPeriod': null,
    '/petProfile/tolerance': null,
    '/metrics/personalBaseline': unavailable,
    '/metrics/breedBaseline': unavailable,
    '/metrics/dailyWearMinutes': Array(days).fill(null),
    ...(metric === 'rest' ? rest : {}),
  })
}

/** A wall clock time of a time zone as ISO 8601 with the offset in force. */
export function writeLocalTime(date: string, time: string, timezone: string): string {
  const localMs = parseDateTime(`${date}T${time}:00`)?.localMs ?? Number.NaN
  const offsetMinutes = Math.round((localMs - toInstant(localMs, timezone)) / 60_000)
  const size = Math.abs(offsetMinutes)
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'))
  return `${date}T${time}:00${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`
}

interface Frame {
  readonly metric: Metric
  readonly viewWindow: ViewWindow
  readonly mode: Mode
  readonly timezone: string
  readonly asOf: string
  readonly asOfMs: number
  readonly start: number
  readonly end: number
  readonly today: number
  /** Days of the window, days of it before today, nights of it up to today. */
  readonly days: number
  readonly finished: number
  readonly elapsed: number
}

function toFrame(options: PayloadOptions): Frame {
  const { metric, viewWindow, mode = 'selected_window', timezone = 'Asia/Shanghai' } = options
  const chosen = toDay(options.date ?? '2026-10-14')
  const { year, month, day, weekday } = dateParts(chosen)
  const start = { day: chosen, week: chosen - weekday + 1, month: chosen - day + 1 }[viewWindow]
  const days = { day: 1, week: 7, month: daysInMonth(year, month) }[viewWindow]
  const end = start + days - 1
  const isToday = mode !== 'selected_window'
  const time = !isToday ? '10:30' : metric === 'rest' ? '09:05' : '16:05'
  const local = options.asOf ?? `${formatDate(isToday ? end : end + 1)}T${time}`
  const asOf = local.length > 16 ? local : writeLocalTime(local.slice(0, 10), local.slice(11), timezone)
  const written = parseDateTime(asOf)
  const asOfMs = (written?.localMs ?? Number.NaN) - (written?.offsetMinutes ?? 0) * 60_000
  const today = localDateTime(asOfMs, timezone).day
  const finished = Math.max(0, Math.min(days, today - start))
  const elapsed = Math.max(0, Math.min(days, today - start + 1))
  return { metric, viewWindow, mode, timezone, asOf, asOfMs, start, end, today, days, finished, elapsed }
}

function toDay(date: string): number {
  const day = parseDate(date)
  if (day === undefined) throw new Error(`${date} is not a date.`)
  return day
}

const isVital = (metric: Metric) => metric === 'hr' || metric === 'hrv' || metric === 'rr'

const judgments = {
  activity: { ruleVersion: 'activity-judgment-v1', best: 'normal' },
  rest: { ruleVersion: 'sleep-rating-c2-v1', best: 'Good' },
  hr: { ruleVersion: 'vital-judgment-c1-v1', best: 'normal' },
  hrv: { ruleVersion: 'vital-judgment-c1-v1', best: 'normal' },
  rr: { ruleVersion: 'vital-judgment-c1-v1', best: 'normal' },
  bark: { ruleVersion: 'bark-judgment-v1', best: 'calm' },
} as const

const directions: Readonly<Record<string, -1 | 0 | 1>> = {
  low: -1,
  high: 1,
  Poor: -1,
  Fair: -1,
  active: 1,
  frequent: 1,
}

function buildJudgment(options: PayloadOptions, { metric, viewWindow, finished, elapsed }: Frame) {
  const { ruleVersion, best } = judgments[metric]
  const rating = options.rating === undefined ? best : options.rating
  const rated = rating !== null
  const days = viewWindow === 'day' ? 1 : metric === 'rest' ? elapsed : finished
  const count = options.count ?? (rated ? days : 0)
  const attentionDays = options.attentionDays === undefined ? (rated ? 0 : null) : options.attentionDays
  return {
    ruleVersion,
    rating,
    direction: options.direction === undefined ? (rated ? (directions[rating] ?? 0) : null) : options.direction,
    baselineSource: rated ? 'personal' : null,
    ...(options.deteriorating === undefined ? {} : { deteriorating: options.deteriorating }),
    ...(metric === 'rest'
      ? { ratedNights: count, lowRestDays: attentionDays }
      : { judgedDays: count, unusualDays: attentionDays }),
  }
}

function buildSnapshot(asOfMs: number) {
  const through = asOfMs - 420_000
  const watermark = (cursor: string | number | null) => ({ cursor, observedThrough: through, completeThrough: through })
  return {
    snapshotState: 'versioned',
    snapshotId: 'snapshot-20261014-01',
    asOf: asOfMs,
    computedAt: asOfMs - 60_000,
    sourceCompleteness: 'complete',
    sourceWatermarks: { posture: watermark('posture:88213'), wear: watermark(41_207), step: watermark(null) },
    aggregateVersion: 'rest-aggregate-v4',
  }
}

const usualRanges = {
  activity: { usualLower: 180, usualUpper: 300 },
  rest: { usualLower: 420, usualUpper: 540 },
  hr: { usualLower: 62, usualUpper: 84 },
  hrv: { usualLower: 42, usualUpper: 68 },
  rr: { usualLower: 16, usualUpper: 26 },
  bark: { usualUpper: 900 },
} as const

function buildComparison({ metric, viewWindow }: Frame) {
  return {
    ...usualRanges[metric],
    ...(viewWindow === 'day' ? {} : { changePercent: 8.4 }),
    consecutiveUnusualDays: 0,
    pageEvaluationBasis: 'personal',
  }
}

/** Small steady ups and downs, so that no two neighbouring days are the same and every run gives the same numbers. */
const wave = (index: number, size: number) => ((index * 37) % 11) * size

function buildMetrics(frame: Frame) {
  const { metric, viewWindow } = frame
  if (metric === 'activity') return viewWindow === 'day' ? activityDay : buildActivityPeriod(frame)
  if (metric === 'rest') return viewWindow === 'day' ? buildRestDay(frame) : buildRestPeriod(frame)
  if (metric === 'bark') return viewWindow === 'day' ? barkDay : buildBarkPeriod(frame)
  return viewWindow === 'day' ? buildVitalDay(metric) : buildVitalPeriod(frame, metric)
}

const activityDay = {
  activityTime: { activityMinutes: 210, activityMinutesGoal: 240 },
  steps: { steps: 6240 },
}

const barkDay = {
  measurementMode: 'estimated',
  barkDurationSeconds: 540,
  barkEventCount: 14,
  longestBarkEventDurationSeconds: 62,
}

function buildActivityPeriod(frame: Frame) {
  const minutes = perDay(frame, 'elapsed', (index) => 205 + wave(index, 7))
  const steps = perDay(frame, 'elapsed', (index) => 6010 + wave(index, 211))
  return {
    activityTime: {
      averageDailyActivityMinutes: average(minutes, frame.finished),
      dailyActivityMinutes: minutes,
    },
    steps: { averageDailySteps: average(steps, frame.finished), dailySteps: steps },
  }
}

function buildRestDay({ start, timezone, mode }: Frame) {
  return {
    night: {
      startAt: writeLocalTime(formatDate(start - 1), '22:00', timezone),
      endAt: writeLocalTime(formatDate(start), '08:00', timezone),
      isCompleted: mode !== 'today_so_far',
      nightRest: { minutes: 482 },
      interruptions: { count: 2 },
      nightActivity: { minutes: 31 },
      longestRestBlockMinutes: 196,
      wearingMinutes: 574,
    },
    day: { hourlyRestMinutes: Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 22 ? 20 + (hour % 5) : 0)) },
  }
}

function buildRestPeriod(frame: Frame) {
  const deep = perDay(frame, 'elapsed', (index) => 402 + wave(index, 9))
  const light = perDay(frame, 'elapsed', (index) => 58 + wave(index + 3, 2))
  const total = deep.map((minutes, index) => (minutes === null ? null : minutes + (light[index] ?? 0)))
  const dayRest = perDay(frame, 'elapsed', (index) => 251 + wave(index, 6))
  return {
    nightRest: { averageMinutes: average(total, frame.elapsed) },
    interruptions: { averageCount: 1.7 },
    nightActivity: { averageMinutes: 28.5 },
    nightlyRestDurations: deep.map((deepRestMinutes, index) => ({
      nightDate: formatDate(frame.start + index),
      lightMovementMinutes: light[index] ?? null,
      deepRestMinutes,
    })),
    dailyDayRestMinutes: dayRest,
    dayRest: { averageMinutes: average(dayRest, frame.finished) },
  }
}

const vitals = {
  hr: { infix: 'Hr', night: 68.4, allDay: 74.2, step: 0.6 },
  hrv: { infix: 'Rmssd', night: 56.3, allDay: 49.8, step: 0.9 },
  rr: { infix: 'Rr', night: 18.2, allDay: 21.4, step: 0.2 },
} as const

type Vital = keyof typeof vitals

function buildVitalDay(metric: Vital) {
  const { infix, night, allDay } = vitals[metric]
  return {
    [`nightRest${infix}Average`]: { value: night, sampleCount: 38 },
    [`allDayRest${infix}Average`]: { value: allDay, sampleCount: 91 },
  }
}

function buildVitalPeriod(frame: Frame, metric: Vital) {
  const { infix, night, allDay, step } = vitals[metric]
  const nights = perDay(frame, 'elapsed', (index) => round(night + wave(index, step)))
  const wholeDays = perDay(frame, 'elapsed', (index) => round(allDay + wave(index + 5, step)))
  const samples = (count: number, values: readonly (number | null)[]) => count * values.filter(isNumber).length
  const elements = (values: readonly (number | null)[], name: string, count: number) =>
    values.map((value, index) => ({
      date: formatDate(frame.start + index),
      [name]: value,
      sampleCount: value === null ? 0 : count,
    }))
  return {
    aggregationMethod: 'daily_median_mean_v1',
    [`nightRest${infix}Average`]: { value: average(nights, frame.elapsed), sampleCount: samples(36, nights) },
    [`allDayRest${infix}Average`]: { value: average(wholeDays, frame.finished), sampleCount: samples(88, wholeDays) },
    [`dailyNightRest${infix}`]: elements(nights, `nightRest${infix}Average`, 36),
    [`dailyAllDayRest${infix}`]: elements(wholeDays, `allDayRest${infix}Average`, 88),
  }
}

function buildBarkPeriod(frame: Frame) {
  const seconds = perDay(frame, 'elapsed', (index) => 410 + wave(index, 23))
  const events = frame.elapsed * 12
  return {
    averageDailyBarkDurationSeconds: average(seconds, frame.finished),
    barkEventCount: events,
    averageDailyBarkEventCount: frame.elapsed === 0 ? null : 12,
    dailyBarkDurations: seconds.map((barkDurationSeconds, index) => ({
      date: formatDate(frame.start + index),
      barkDurationSeconds,
    })),
  }
}

/** One value for each day of the window, null from where the records end. */
function perDay(frame: Frame, until: 'elapsed' | 'finished', value: (index: number) => number): (number | null)[] {
  return Array.from({ length: frame.days }, (_, index) => (index < frame[until] ? value(index) : null))
}

/** Mean of the first `count` days, to one decimal; null if no day has a value. */
function average(values: readonly (number | null)[], count: number): number | null {
  const known = values.slice(0, count).filter(isNumber)
  return known.length === 0 ? null : round(known.reduce((sum, value) => sum + value, 0) / known.length)
}

const isNumber = (value: number | null): value is number => value !== null
const round = (value: number) => Math.round(value * 10) / 10
