import type { HealthDetailPayload } from './schema.js'
import type { Insight } from './types.js'

/** The answer to a request, as it goes over the wire. Source: health detail contract, 2.5. */
export interface InsightResponse {
  readonly insightId: string
  readonly [member: string]: unknown
}

/** An insight in its wire form. `now` is only stamped on the result. */
export function presentInsight(
  payload: HealthDetailPayload,
  insight: Insight,
  stamp: { readonly insightId: string; readonly now: Date },
): InsightResponse {
  return {
    insightId: stamp.insightId,
    petId: payload.petId,
    status: insight.status,
    generatedAt: stamp.now.toISOString(),
  }
}
