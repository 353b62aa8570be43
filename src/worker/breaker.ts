import type { BreakerStore, Trouble } from '../ports/breakers.js'
import { isProviderError, type Provider, type ProviderCall, type ProviderError } from '../ports/provider.js'
import type { TaskLog } from './unit-log.js'

/** In a row, of one process; a key that is refused is not accepted by asking more often. */
const failuresAtMost: Readonly<Record<Trouble, number>> = { down: 5, refused: 3 }

/** What a call tells of the service; undefined where nothing. */
type Verdict = Trouble | 'works' | undefined

/**
 * The provider, its calls watched: a model service that does not answer, fails, or refuses our key has its breaker opened,
 * so that units wait for it instead of failing. What it answers otherwise shows that it works; an attempt that did not ask
 * it for anything, or that asked what became of an order, tells nothing.
 */
export function watchProvider(provider: Provider, store: BreakerStore, log: TaskLog): Provider {
  let failures = 0
  let last: Trouble = 'down'

  const tell = (event: 'breaker_opened' | 'breaker_closed', details: object) =>
    log.write({ time: new Date().toISOString(), event, provider: provider.label, ...details })

  async function succeed(): Promise<void> {
    failures = 0
    if (await store.closeBreakers([provider.label])) tell('breaker_closed', {})
  }

  async function fail(trouble: Trouble, code: string): Promise<void> {
    failures = trouble === last ? failures + 1 : 1
    last = trouble
    const delayMs = await store.failBreaker(provider.label, trouble, failures >= failuresAtMost[trouble])
    if (delayMs !== undefined) tell('breaker_opened', { code, delay_ms: delayMs })
  }

  async function watch<T>(call: ProviderCall, work: (call: ProviderCall) => Promise<T>): Promise<T> {
    let isAsked = false
    const saveMemo: ProviderCall['saveMemo'] = (memo, begun) => {
      // Whoever charges keeps what is to be bought before it is sent.
      isAsked ||= memo !== null
      return call.saveMemo(memo, begun)
    }
    try {
      const result = await work({ ...call, saveMemo })
      await succeed().catch(ignore)
      return result
    } catch (error) {
      // What was stopped from outside says nothing of the provider.
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

/** A call is what it is, whatever becomes of the breaker; a database out of order shows when the unit is settled. */
function ignore(): void {}

function judge({ code, wire, retryable }: ProviderError, isAsked: boolean): Verdict {
  if (code === 'provider_unauthorized') return 'refused'
  if (code === 'content_refused' || wire === 'refused' || wire === 'rate_limited') return 'works'
  // What is not worth another try was answered, with something of no use.
  return isAsked && retryable && wire !== 'ordered' ? 'down' : undefined
}
