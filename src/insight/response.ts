import type { PayloadView } from './schema.js'
import type { Insight } from './types.js'

/** The answer to a request, as it goes over the wire. Source: health detail contract, 2.5. */
export interface InsightResponse extends EchoedPayload, Pick<Insight, 'status' | 'severity' | 'summary'> {
  readonly insightId: string
  readonly generation: Insight['generation'] & {
    /** UTC, ISO 8601 with Z. */
    readonly generatedAt: string
  }
}

/** The members of a request that its answer repeats. */
type EchoedPayload = Pick<PayloadView, 'petId' | 'metric' | 'viewWindow' | 'period'>

/**
 * An insight in its wire form: nothing of the request but what the contract echoes, nights only where they were sent.
 * The stamp is only written on the result: UTC, ISO 8601 with Z.
 * Source: health detail contract, 2.5.
 */
export function presentInsight(
  payload: EchoedPayload,
  insight: Insight,
  stamp: { readonly insightId: string; readonly generatedAt: string },
): InsightResponse {
  const { elapsedNights, endDate, isCompleted, startDate, timezone, validNights } = payload.period
  return {
    insightId: stamp.insightId,
    petId: payload.petId,
    metric: payload.metric,
    viewWindow: payload.viewWindow,
    period: {
      startDate,
      endDate,
      timezone,
      isCompleted,
      ...(elapsedNights !== undefined && { elapsedNights }),
      ...(validNights !== undefined && { validNights }),
    },
    status: insight.status,
    severity: insight.severity,
    summary: insight.summary,
    generation: {
      ruleId: insight.generation.ruleId,
      ruleVersion: insight.generation.ruleVersion,
      generatedAt: stamp.generatedAt,
      aiPolished: insight.generation.aiPolished,
    },
  }
}
