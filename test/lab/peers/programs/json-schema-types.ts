// The types that json-schema-to-typescript makes of the published schema keep the facts of each metric and window.
import type { ActivityDayRequest, BarkPeriodMetrics, HealthDetailV3, RestDayRequest } from './payload'

type Payload = ActivityDayRequest | RestDayRequest

export function readMinutes(payload: Payload): number | null | undefined {
  if (payload.metric === 'activity') return payload.metrics.activityTime.activityMinutes
  return payload.metrics.night?.nightRest?.minutes
}

export const bark: BarkPeriodMetrics = { dailyBarkDurations: [{ date: '2026-10-12', barkDurationSeconds: 60 }, null] }
export const facts: HealthDetailV3['metrics'] = bark

// @ts-expect-error: minutes are a number
export const wrong: ActivityDayRequest['metrics'] = { activityTime: { activityMinutes: 'many' } }
