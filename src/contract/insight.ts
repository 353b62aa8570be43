import { Type } from 'typebox'
import { payloadSchema } from '../insight/index.js'
import { defineRoute } from './route.js'
import { HealthDetailInsight } from './schemas.js'

/** One paragraph about one pet, metric and window. Source: health detail contract, 4. */
export const generateHealthDetailInsight = defineRoute({
  method: 'POST',
  path: '/v1/health-detail-insights/generate',
  summary: 'Generate a health detail insight',
  // @NOTE contract: the permission is not shown; no model is called, so the endpoint group is all a key needs.
  access: { group: 'health-detail-insights' },
  body: Type.Unsafe<unknown>(payloadSchema),
  // What is wrong with a payload is told to nobody but the log.
  check: 'handler',
  // @NOTE contract: the success status is not shown; 200 is what the gateway contract says wherever a body is returned.
  replies: { 200: HealthDetailInsight },
})
