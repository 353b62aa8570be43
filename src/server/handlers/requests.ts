import type { Routes } from '../../contract/index.js'
import type { Query, ReplyBody } from '../../contract/route.js'
import type { Handlers } from '../call.js'

export type RequestListQuery = Query<Routes['listRequests']>

/** The calls that were answered, as the log and the store know them. */
export interface RequestRecords {
  list(query: RequestListQuery, now: Date): Promise<ReplyBody<Routes['listRequests']>>
  /** The last call of this ID. Throws `not_found`. */
  get(requestId: string, now: Date): Promise<ReplyBody<Routes['getRequest']>>
}

/** `load` is asked with the first call: few servers are ever looked at. */
export function createRequestHandlers(
  load: () => Promise<RequestRecords>,
): Pick<Handlers, 'listRequests' | 'getRequest'> {
  return {
    async listRequests({ query, now }) {
      const records = await load()
      return { body: await records.list(query, now) }
    },
    async getRequest({ params, now }) {
      const records = await load()
      return { body: await records.get(params.request_id, now) }
    },
  }
}
