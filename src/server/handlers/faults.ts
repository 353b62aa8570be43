import type { FaultRules } from '../../contract/faults.js'
import { SvcError } from '../../errors.js'
import type { Handlers } from '../pipeline/handler.js'

/** Calls `load` with the first request; without it, in production, all are refused. */
export function createFaultHandlers(load: (() => Promise<FaultRules>) | undefined) {
  const rules = () => {
    if (load !== undefined) return load()
    throw new SvcError('forbidden', 'Fault rules are for tests: this service runs with SVC_ENV=production.')
  }
  return {
    async listFaults() {
      return { body: { data: await (await rules()).list() } }
    },
    async addFault({ body }) {
      return { body: await (await rules()).add(body) }
    },
    async clearFaults() {
      return { body: { removed: await (await rules()).clear() } }
    },
    async removeFault({ params }) {
      await (await rules()).remove(params.fault_id)
      return { status: 204 }
    },
  } satisfies Partial<Handlers>
}
