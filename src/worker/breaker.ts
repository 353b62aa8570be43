import type { ServiceClock } from '../ports/clock.js'
import { isProviderError, type Provider, type ProviderCall, type ProviderError } from '../ports/provider.js'
import type { BreakerStore, Trouble } from '../ports/store.js'
import type { TaskLog } from './unit-attempt.js'

/** Consecutive failures in one process. Fewer for a refused key, since a retry does not make it valid. */
const failuresAtMost: Readonly<Record<Trouble, number>> = { down: 5, refused: 3 }

/** The state of the service according to a call; undefined if the call proves nothing. */
type ServiceState = Trouble | 'works' | undefined

export type BreakerDatabase = BreakerStore & Pick<ServiceClock, 'now'>

/**
 * Wraps a provider with a circuit breaker. It opens if the model service does not answer, fails, or refuses our key, so that
 * units wait for the service instead of failing. Any other response proves that the service works. An attempt that sent
 * nothing, or only polled an order, proves nothing.
 */
export function watchProvider(provider: Provider, store: BreakerDatabase, log: TaskLog): Provider {
  let failures = 0
  let last: Trouble = 'down'

  const logEvent = (event: 'breaker_opened' | 'breaker_closed', details: object) =>
    log.write({ time: new Date(store.now()).toISOString(), event, provider: provider.label, ...details })

  async function succeed(): Promise<void> {
    failures = 0
    if (await store.closeBreakers([provider.label])) logEvent('breaker_closed', {})
  }

  async function fail(trouble: Trouble, code: string): Promise<void> {
    failures = trouble === last ? failures + 1 : 1
    last = trouble
    const delayMs = await store.failBreaker(provider.label, trouble, failures >= failuresAtMost[trouble])
    if (delayMs !== undefined) logEvent('breaker_opened', { code, delay_ms: delayMs })
  }

  async function watch<T>(call: ProviderCall, work: (call: ProviderCall) => Promise<T>): Promise<T> {
    let isAsked = false
    const saveMemo: ProviderCall['saveMemo'] = (memo, begun) => {
      // A provider that charges saves its order before it sends it.
      isAsked ||= memo !== null
      return call.saveMemo(memo, begun)
    }
    try {
      const result = await work({ ...call, saveMemo })
      await succeed().catch(ignore)
      return result
    } catch (error) {
      // A call that was stopped from outside proves nothing about the provider.
      if (!call.signal.aborted && isProviderError(error)) {
        const verdict = judge(error, isAsked)
        if (verdict === 'works') await succeed().catch(ignore)
        else if (verdict !== undefined) await fail(verdict, error.code).catch(ignore)
      }
      throw error
    }
  }

  return {
    ...provider,
    generatePicture: (request, call) => watch(call, (watched) => provider.generatePicture(request, watched)),
    generateClip: (request, call) => watch(call, (watched) => provider.generateClip(request, watched)),
  }
}

/** The breaker must not change the result of a call. An unavailable database shows when the unit is settled. */
function ignore(): void {}

function judge({ code, wire, retryable }: ProviderError, isAsked: boolean): ServiceState {
  if (code === 'provider_unauthorized') return 'refused'
  if (code === 'content_refused' || wire === 'refused' || wire === 'rate_limited') return 'works'
  // A failure that is not retryable was a response, though an unusable one.
  return isAsked && retryable && wire !== 'ordered' ? 'down' : undefined
}
