import { type Provider, ProviderError } from '../ports/provider.js'
import { buyOnce, findBegun } from './purchase.js'
import type { UnitRunner } from './runner.js'

/** What is ordered and cannot be asked for is looked at this often. */
const lookAgainMs = 300_000

/**
 * Runs each unit with the provider that its task was created for. One whose provider is no longer there fails: another
 * model costs something else, and what was begun with the first cannot be taken over. What is ordered was paid: it waits for
 * its provider until the task's deadline.
 */
export function runByProvider(providers: readonly Provider[], create: (provider: Provider) => UnitRunner): UnitRunner {
  const runners = new Map(providers.map((provider) => [provider.label, create(provider)]))
  return (unit, context) => (runners.get(unit.task.provider) ?? refuse)(unit, context)
}

/** Delivers what was bought and stored before; all else fails. */
const refuse: UnitRunner = (unit, context) =>
  buyOnce(unit, context, async ({ memo }) => {
    const message = `The model ${unit.task.provider} is not configured any more.`
    const begun = findBegun(unit.memo)
    if (begun?.isOrdered) {
      const kept = { wire: 'ordered', retryable: true, retryAfterMs: lookAgainMs, purchase: begun.purchase } as const
      throw new ProviderError('model_removed', message, kept)
    }
    const wire = memo === null ? 'not_sent' : 'ambiguous'
    throw new ProviderError('model_removed', message, { wire, retryable: false })
  })
