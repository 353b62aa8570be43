import type { Locale, Metric, ViewWindow } from './types.js'

/** A valid request body of `POST /v1/health-detail-insights/generate`. Source: health detail contract, 2.1 to 2.4. */
export interface HealthDetailPayload {
  readonly userId: string
  readonly petId: string
  readonly metric: Metric
  readonly viewWindow: ViewWindow
  readonly period: {
    readonly startDate: string
    readonly endDate: string
    readonly timezone: string
    readonly isCompleted: boolean
    readonly elapsedNights?: number | null
    readonly validNights?: number | null
  }
  readonly locale?: Locale | null
  readonly [member: string]: unknown
}

export const payloadSchema: Readonly<Record<string, unknown>> = {}
