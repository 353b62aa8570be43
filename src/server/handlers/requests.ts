import type { RequestRecords } from '../../contract/requests.js'
import type { Handlers } from '../pipeline/handler.js'

/** Calls `load` with the first request: few servers are inspected. */
export function createRequestHandlers(load: () => Promise<RequestRecords>) {
  return {
    async listRequests({ query, now }) {
      return { body: await (await load()).list(query, now) }
    },
    async getRequest({ params, now }) {
      return { body: await (await load()).get(params.request_id, now) }
    },
  } satisfies Partial<Handlers>
}
