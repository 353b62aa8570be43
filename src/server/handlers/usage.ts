import { groupUsage } from '../../media/usage.js'
import type { UsageStore } from '../../ports/tasks.js'
import type { Handlers } from '../call.js'

const microsPerDollar = 1_000_000

/** Source: gateway contract, 1. */
export function createUsageHandlers(store: UsageStore): Pick<Handlers, 'getUsage'> {
  return {
    async getUsage({ query }) {
      const isWanted = (missing: readonly string[]) =>
        query.missing_id === undefined || (query.missing_id === 'true') === missing.length > 0
      const rows = (await store.listUsage()).filter(({ missing }) => isWanted(missing))
      const entries = groupUsage(rows, query.by).map((entry) => ({
        pet_id: entry.petId,
        user_id: entry.userId,
        key_id: entry.keyId,
        model: entry.model,
        day: entry.day,
        missing_id: entry.missing.length > 0,
        missing: [...entry.missing],
        requests: entry.requests,
        units: entry.units,
        cost: entry.costMicros / microsPerDollar,
        maybe_cost: entry.maybeCostMicros / microsPerDollar,
      }))
      return { body: { entries } }
    },
  }
}
