/** Valid health-detail payloads with realistic numbers, for every metric and window; tests then change a member or two. */
import { changePayload as change } from '../../src/insight/change-payload.js'
import type { HealthDetailPayload } from '../../src/insight/schema.js'
import { type Locale, type Metric, metrics, type ViewWindow, viewWindows } from '../../src/insight/types.js'
import { assemblePayload, round } from '../../src/payload-generator/assemble.js'
import {
  createFrame,
  type Mode,
  type PayloadFrame,
  type Records,
  toDay,
  writeLocalTime,
} from '../../src/payload-generator/frame.js'
import { createJudgment } from '../../src/payload-generator/generate-payload.js'

export { type Mode, writeLocalTime }

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
  const { metric, viewWindow, mode = 'selected_window' } = options
  const time = mode === 'selected_window' ? '10:30' : metric === 'rest' ? '09:05' : '16:05'
  const { date = '2026-10-14', timezone = 'Asia/Shanghai', asOf } = options
  const frame = createFrame({ metric, viewWindow, mode, date, timezone, asOf, time })
  return assemblePayload(frame, {
    pet: {
      userId: 'user-20418',
      petId: 'pet-7731',
      name: options.name ?? 'Mochi',
      species: options.species ?? 'dog',
    },
    locale: options.locale ?? 'en-US',
    factVersion: 'facts-5f0c2d91',
    records: steadyRecords(frame),
    baselineProgress: options.baselineProgress,
    comparison: options.comparison === null ? undefined : (options.comparison ?? buildComparison(frame)),
    judgment: options.judgment === null ? undefined : buildJudgment(options, frame),
  })
}

/**
 * A deep copy of a payload with the members at JSON Pointers set; `undefined` removes the member.
 * The result is as valid as the change.
 */
export function changePayload(payload: HealthDetailPayload, changes: Readonly<Record<string, unknown>>) {
  return structuredClone(change(payload, changes))
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

const bestRatings = {
  activity: 'normal',
  rest: 'Good',
  hr: 'normal',
  hrv: 'normal',
  rr: 'normal',
  bark: 'calm',
} as const

function buildJudgment(options: PayloadOptions, { metric, viewWindow, finished, elapsed }: PayloadFrame) {
  const rating = options.rating === undefined ? bestRatings[metric] : options.rating
  const days = viewWindow === 'day' ? 1 : metric === 'rest' ? elapsed : finished
  return createJudgment(
    { metric },
    {
      rating,
      direction: options.direction,
      deteriorating: options.deteriorating,
      counted: options.count ?? (rating === null ? 0 : days),
      attention: options.attentionDays === undefined ? (rating === null ? null : 0) : options.attentionDays,
    },
  )
}

const usualRanges = {
  activity: { usualLower: 180, usualUpper: 300 },
  rest: { usualLower: 420, usualUpper: 540 },
  hr: { usualLower: 62, usualUpper: 84 },
  hrv: { usualLower: 42, usualUpper: 68 },
  rr: { usualLower: 16, usualUpper: 26 },
  bark: { usualUpper: 900 },
} as const

function buildComparison({ metric, viewWindow }: PayloadFrame) {
  return {
    ...usualRanges[metric],
    ...(viewWindow === 'day' ? {} : { changePercent: 8.4 }),
    consecutiveUnusualDays: 0,
    pageEvaluationBasis: 'personal',
  }
}

/** Small steady ups and downs, so that no two neighboring days are the same and every run gives the same numbers. */
const wave = (index: number, size: number) => ((index * 37) % 11) * size

const vitals = {
  hr: { night: 68.4, allDay: 74.2, step: 0.6 },
  hrv: { night: 56.3, allDay: 49.8, step: 0.9 },
  rr: { night: 18.2, allDay: 21.4, step: 0.2 },
} as const

/** The records of a pet whose days are much the same. */
function steadyRecords({ start, viewWindow }: PayloadFrame): Records {
  const isDay = viewWindow === 'day'
  const step = (day: number, size: number, shift = 0) => (isDay ? 0 : wave(day - start + shift, size))
  return {
    activity: (day) =>
      isDay ? { minutes: 210, steps: 6240 } : { minutes: 205 + step(day, 7), steps: 6010 + step(day, 211) },
    goalMinutes: 240,
    night: (day) =>
      isDay
        ? { deep: 420, light: 62, wakes: 2, activity: 31, longestRest: 196, worn: 574 }
        : {
            deep: 402 + step(day, 9),
            light: 58 + step(day, 2, 3),
            wakes: 1.7,
            activity: 28.5,
            longestRest: 196,
            worn: 574,
          },
    hourlyRest: () => Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 22 ? 20 + (hour % 5) : 0)),
    dayRestMinutes: (day) => 251 + step(day, 6),
    vital: (metric, day) => {
      const { night, allDay, step: size } = vitals[metric]
      return {
        night: { value: round(night + step(day, size)), sampleCount: isDay ? 38 : 36 },
        allDay: { value: round(allDay + step(day, size, 5)), sampleCount: isDay ? 91 : 88 },
      }
    },
    bark: (day) =>
      isDay
        ? { seconds: 540, events: 14, longestSeconds: 62 }
        : { seconds: 410 + step(day, 23), events: 12, longestSeconds: 62 },
  }
}
