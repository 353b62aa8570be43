import { type Provider, ProviderError } from '../ports/provider.js'
import { buyOnce, findBegun } from './purchase.js'
import type { UnitRunner } from './runner.js'

/** The interval at which an order without its provider is retried. */
const retryMs = 300_000

/**
 * Runs each unit with the provider that its task was created for. If that provider is not configured any more, the unit
 * fails: another model has another price, and cannot continue what the first began. An order is paid, so it waits for its
 * provider until the task's deadline.
 */
export function runByProvider(providers: readonly Provider[], create: (provider: Provider) => UnitRunner): UnitRunner {
  const runners = new Map(providers.map((provider) => [provider.label, create(provider)]))
  return (unit, context) => (runners.get(unit.task.provider) ?? refuse)(unit, context)
}

/** Delivers a result that was bought and stored before; fails otherwise. */
const refuse: UnitRunner = (unit, context) =>
  buyOnce(unit, context, async ({ memo }) => {
    const message = `The model ${unit.task.provider} is not configured any more.`
    const begun = findBegun(unit.memo)
    if (begun?.isOrdered) {
      const kept = { wire: 'ordered', retryable: true, retryAfterMs: retryMs, purchase: begun.purchase } as const
      throw new ProviderError('model_removed', message, kept)
    }
    const wire = memo === null ? 'not_sent' : 'ambiguous'
    throw new ProviderError('model_removed', message, { wire, retryable: false })
  })
