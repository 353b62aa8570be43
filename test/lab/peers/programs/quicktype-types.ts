// The types that quicktype makes of the published schema keep the facts of each metric and window.
import type { ActivityDayMetrics, ActivityDayRequest, BarkPeriodMetrics } from './quicktype'

export const readMinutes = (payload: ActivityDayRequest): number => payload.metrics.activityTime.activityMinutes

export const bark: BarkPeriodMetrics = { dailyBarkDurations: [{ date: '2026-10-12', barkDurationSeconds: 60 }, null] }

// @ts-expect-error: minutes are a number
export const wrong: ActivityDayMetrics = { activityTime: { activityMinutes: 'many' } }
