import { randomUUID } from 'node:crypto'
import type { ModelSettings } from '../models/settings.js'
import type { ServiceClock } from '../ports/clock.js'
import type { BegunPurchase, ProviderCall, Purchase } from '../ports/provider.js'
import type { UsageStore } from '../ports/usage.js'
import { limitTime } from '../runtime/abort.js'

const callMs = 600_000

/** Creates a call for a unit that is not in the database; keeps the purchase that has or may have been made. */
export function openSoleCall(stop: AbortSignal, unitId: string) {
  const { signal, close } = limitTime(callMs, stop, 'the check took too long')
  let begun: BegunPurchase | undefined
  const call: ProviderCall = {
    signal,
    unitId,
    taskId: unitId,
    leftMs: callMs,
    memo: null,
    async saveMemo(_memo, next) {
      begun = next
    },
    onProgress: () => {},
  }
  return { call, close, findBegun: () => begun }
}

/** Books a call without a task in the ledger, under the name of its maker. */
export async function bookSoleCall(
  store: UsageStore & Pick<ServiceClock, 'now'>,
  { kind, model }: Pick<ModelSettings, 'kind' | 'model'>,
  call: {
    readonly maker: string
    readonly purchase: Purchase
    readonly isCertain: boolean
    readonly isDelivered: boolean
  },
): Promise<void> {
  const { maker, purchase, isCertain: certain, isDelivered } = call
  const unit = kind === 'image' ? 'image' : 'clip'
  const usage = { ...purchase, model, unit, certain, maybeDuplicate: false } as const
  await store.bookCall({ id: `check_${randomUUID()}`, maker, usage, isDelivered, at: new Date(store.now()) })
}
