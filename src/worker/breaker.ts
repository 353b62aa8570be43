import type { BreakerStore, Trouble } from '../ports/breakers.js'
import { isProviderError, type Provider, type ProviderCall, type ProviderError } from '../ports/provider.js'
import type { TaskLog } from './unit-log.js'

/** In a row, of one process; a key that is refused is not accepted by asking more often. */
const failuresAtMost: Readonly<Record<Trouble, number>> = { down: 5, refused: 3 }

/**
 * The provider, its calls watched: a model service that does not answer, fails, or refuses our key has its breaker opened,
 * so that units wait for it instead of failing. Whatever else it answers shows that it works.
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

  async function watch<T>(call: ProviderCall, work: Promise<T>): Promise<T> {
    try {
      const result = await work
      await succeed().catch(ignore)
      return result
    } catch (error) {
      // What was stopped from outside says nothing of the provider.
      if (!call.signal.aborted && isProviderError(error)) {
        const trouble = toTrouble(error)
        await (trouble === undefined ? succeed() : fail(trouble, error.code)).catch(ignore)
      }
      throw error
    }
  }

  return {
    ...provider,
    generatePicture: (request, call) => watch(call, provider.generatePicture(request, call)),
    generateClip: (request, call) => watch(call, provider.generateClip(request, call)),
  }
}

/** A call is what it is, whatever becomes of the breaker; a database out of order shows when the unit is settled. */
function ignore(): void {}

function toTrouble({ code, wire }: ProviderError): Trouble | undefined {
  if (code === 'provider_unauthorized') return 'refused'
  return wire === 'not_sent' || wire === 'ambiguous' ? 'down' : undefined
}
