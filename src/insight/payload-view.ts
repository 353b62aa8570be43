import type { Locale, Metric, ViewWindow } from './types.js'

/** An optional member: left out and null are the same. */
export type Sent<T> = T | null | undefined

export interface VitalAverage {
  readonly value?: number | null
  readonly sampleCount?: number | null
}

export interface NightView {
  readonly nightRest?: { readonly minutes?: Sent<number> } | null
  readonly interruptions?: { readonly count?: Sent<number> } | null
  readonly wearingMinutes?: Sent<number>
}

export interface JudgmentView {
  readonly rating: string | null
  readonly direction: number | null
  readonly ratedNights?: Sent<number>
  readonly judgedDays?: Sent<number>
  readonly lowRestDays?: Sent<number>
  readonly unusualDays?: Sent<number>
  readonly deteriorating?: Sent<boolean>
}

/**
 * A valid payload as its reader sees it: the union of all metrics and windows, every member optional.
 * Source: health detail contract, 2.1 to 2.4.
 */
export interface PayloadView {
  readonly userId: string
  readonly petId: string
  readonly metric: Metric
  readonly viewWindow: ViewWindow
  readonly locale?: Locale | null
  readonly petProfile: { readonly name: string; readonly species: 'dog' | 'cat' }
  readonly period: {
    readonly startDate: string
    readonly endDate: string
    readonly timezone: string
    readonly isCompleted: boolean
    readonly elapsedNights?: Sent<number>
    readonly validNights?: Sent<number>
  }
  readonly insightContext: {
    readonly mode: 'today_so_far' | 'last_night' | 'selected_window'
    readonly factVersion: string
    readonly baselineProgress?: { validDays?: Sent<number>; requiredDays?: Sent<number> } | null
    readonly comparison?: {
      readonly usualLower?: Sent<number>
      readonly usualUpper?: Sent<number>
      readonly changePercent?: Sent<number>
      readonly consecutiveUnusualDays?: Sent<number>
      readonly unusualLowDays?: Sent<number>
      readonly unusualHighDays?: Sent<number>
      readonly restRatingFactors?: readonly string[] | null
      readonly pageEvaluationBasis?: string | null
    } | null
  }
  readonly suppliedJudgment?: JudgmentView | null
  readonly metrics: {
    readonly activityTime?: {
      readonly activityMinutes?: Sent<number>
      readonly activityMinutesGoal?: Sent<number>
      readonly averageDailyActivityMinutes?: Sent<number>
    } | null
    readonly night?: NightView | null
    readonly nightRest?: { readonly averageMinutes?: Sent<number> } | null
    readonly barkDurationSeconds?: Sent<number>
    readonly barkEventCount?: Sent<number>
    readonly averageDailyBarkDurationSeconds?: Sent<number>
    readonly averageDailyBarkEventCount?: Sent<number>
    readonly [member: string]: unknown
  }
}
