import type { RequestRecords } from '../../contract/requests.js'
import type { UsageStore } from '../../ports/usage.js'
import type { Handlers } from '../pipeline/handler.js'

const microsPerDollar = 1_000_000

/** Source: gateway contract, 1. */
export function createUsageHandlers(store: UsageStore) {
  return {
    async getUsage({ query: { by, missing_id, from, to, page, page_size } }) {
      const isMissingId = missing_id === undefined ? undefined : missing_id === 'true'
      const { total, items } = await store.sumUsage(by, { isMissingId, from, to }, page, page_size)
      const entries = items.map((sum) => ({
        pet_id: sum.petId,
        user_id: sum.userId,
        key_id: sum.keyId,
        model: sum.model,
        day: sum.day,
        missing_id: sum.missing.length > 0,
        missing: [...sum.missing],
        requests: sum.requests,
        units: sum.units,
        cost: sum.costMicros / microsPerDollar,
        maybe_cost: sum.maybeCostMicros / microsPerDollar,
      }))
      return { body: { page, page_size, total, entries } }
    },
  } satisfies Partial<Handlers>
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
