import { Type } from 'typebox'
import { payloadSchema } from '../insight/index.js'
import { defineRoute } from './route.js'
import { HealthDetailInsight } from './schemas.js'

/** One paragraph about one pet, metric and window. Source: health detail contract, 4. */
export const generateHealthDetailInsight = defineRoute({
  method: 'POST',
  path: '/v1/health-detail-insights/generate',
  summary: 'Generate a health detail insight',
  // @NOTE contract: the permission is not shown; no model is called, so a key needs only the endpoint group.
  access: { group: 'health-detail-insights' },
  body: Type.Unsafe<unknown>({ ...payloadSchema, $id: 'HealthDetailInsightRequest' }),
  // The violations of a payload appear only in the log.
  check: 'handler',
  // @NOTE contract: the success status is not shown; in the gateway contract every answer with a body is 200.
  replies: { 200: HealthDetailInsight },
})
