import type { Routes } from '../../contract/index.js'
import type { Query, ReplyBody } from '../../contract/route.js'
import type { Handlers } from '../pipeline/handler.js'

export type RequestListQuery = Query<Routes['listRequests']>

/** The answered calls, as recorded in the log and the store. */
export interface RequestRecords {
  list(query: RequestListQuery, now: Date): Promise<ReplyBody<Routes['listRequests']>>
  /** Returns the last call with this ID. Throws `not_found`. */
  get(requestId: string, now: Date): Promise<ReplyBody<Routes['getRequest']>>
}

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
