import { Type } from 'typebox'
import { payloadSchema } from '../insight/index.js'
import { defineRoute } from './route.js'
import { HealthDetailInsight } from './schemas.js'

/** Every metric and window has a request of its own, so that generated types have its facts. */
const requests = Object.keys(payloadSchema.$defs ?? {}).filter((name) => name.endsWith('-request'))

/** One paragraph about one pet, metric and window. Source: health detail contract, 4. */
export const generateHealthDetailInsight = defineRoute({
  method: 'POST',
  path: '/v1/health-detail-insights/generate',
  summary: 'Generate a health detail insight',
  description:
    'Describes a metric of a pet in one paragraph. The facts and the rating are taken as sent. An invalid payload is rejected with one fixed sentence; the log of the server names the invalid fields.',
  // @NOTE contract: the permission is not shown; no model is called, so a key needs only the endpoint group.
  access: { group: 'health-detail-insights' },
  body: Type.Unsafe<unknown>({
    $id: 'HealthDetailInsightRequest',
    description: 'A payload `health-detail-v3`, told apart by `metric` and `viewWindow`.',
    oneOf: requests.map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: payloadSchema.$defs,
  }),
  // The violations of a payload appear only in the log.
  check: 'handler',
  // @NOTE contract: the success status is not shown; in the gateway contract every response with a body is 200.
  replies: { 200: HealthDetailInsight },
})
