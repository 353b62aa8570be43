import { isProviderError, type Provider, type ProviderCall } from '../ports/provider.js'
import type { TaskLog } from './unit-log.js'

/** Keeps units from a model service that does not work, so that they wait for it instead of failing. */
export interface Breaker {
  /** The provider, its calls watched. */
  readonly provider: Provider
  /** How many units may be in work now: none while it is open, one to try with after that. */
  slots(): number
  /** Whether it is open because the service refuses our key: then nothing but a new key helps. */
  isRefused(): boolean
}

/** In a row; a key that is refused is not accepted by asking more often. */
const failuresAtMost = { down: 5, refused: 3 } as const
/** Of the first time; each one after it, without a success between, is twice as long. */
const openMs = 30_000
const openMsAtMost = 600_000

type Trouble = keyof typeof failuresAtMost

/**
 * Watches a provider for this process: opened by calls that it did not answer, failed to handle or took for a stranger's.
 * Whatever else it answers shows that it works. `now` is a monotonic clock in milliseconds.
 */
export function createBreaker(provider: Provider, log: TaskLog, now: () => number = () => performance.now()): Breaker {
  let failures = 0
  let openings = 0
  /** Undefined while closed. */
  let openUntil: number | undefined
  let trouble: Trouble = 'down'
  let trying = false

  function tell(event: 'breaker_opened' | 'breaker_half_open' | 'breaker_closed', details: object = {}): void {
    log.write({ time: new Date().toISOString(), event, provider: provider.label, ...details })
  }

  function succeed(): void {
    failures = 0
    openings = 0
    if (openUntil === undefined) return
    openUntil = undefined
    trying = false
    tell('breaker_closed')
  }

  function fail(kind: Trouble, code: string): void {
    failures = kind === trouble ? failures + 1 : 1
    trouble = kind
    const isOpen = openUntil !== undefined && now() < openUntil
    // Of calls that began before it opened, none opens it further.
    if (isOpen || (!trying && failures < failuresAtMost[kind])) return
    const delayMs = Math.min(openMs * 2 ** openings, openMsAtMost)
    openings += 1
    openUntil = now() + delayMs
    trying = false
    tell('breaker_opened', { code, delay_ms: delayMs })
  }

  async function watch<T>(call: ProviderCall, work: Promise<T>): Promise<T> {
    try {
      const result = await work
      succeed()
      return result
    } catch (error) {
      // What was stopped from outside says nothing of the provider.
      if (!call.signal.aborted && isProviderError(error)) {
        const kind = toTrouble(error)
        if (kind === undefined) succeed()
        else fail(kind, error.code)
      }
      throw error
    }
  }

  return {
    provider: {
      ...provider,
      generatePicture: (request, call) => watch(call, provider.generatePicture(request, call)),
      generateClip: (request, call) => watch(call, provider.generateClip(request, call)),
    },
    slots() {
      if (openUntil === undefined) return provider.slots
      if (now() < openUntil) return 0
      if (!trying) tell('breaker_half_open')
      trying = true
      return 1
    },
    isRefused: () => openUntil !== undefined && trouble === 'refused' && now() < openUntil,
  }
}

function toTrouble({ code, wire }: { readonly code: string; readonly wire: string }): Trouble | undefined {
  if (code === 'provider_unauthorized') return 'refused'
  return wire === 'not_sent' || wire === 'ambiguous' ? 'down' : undefined
}
