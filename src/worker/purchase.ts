import { type ProviderCall, ProviderError, type Purchase } from '../ports/provider.js'
import type { ClaimedUnit, UnitOutput } from '../ports/tasks.js'
import type { RunContext, RunResult } from './runner.js'

/** What a runner keeps of a unit: the provider's own memo until the result is bought and stored, then the result. */
interface Memo {
  readonly provider: unknown
  readonly result?: RunResult
}

/**
 * Buys and stores with `buy`, or gives what an earlier attempt bought and stored. A crash in between leaves it to the
 * provider, which finds its memo again.
 */
export async function buyOnce(
  unit: ClaimedUnit,
  context: RunContext,
  buy: (call: ProviderCall) => Promise<{ readonly output: UnitOutput; readonly purchase: Purchase }>,
): Promise<RunResult> {
  const { provider, result } = (unit.memo ?? { provider: null }) as Memo
  if (result !== undefined) return result
  if (context.signal.aborted) throw toLateError(provider !== null)
  const { output, purchase } = await buy({
    signal: context.signal,
    unitId: unit.id,
    taskId: unit.task.id,
    deadlineAt: unit.deadlineAt,
    memo: provider,
    saveMemo: (memo) => context.saveMemo({ provider: memo } satisfies Memo),
    onProgress: context.onProgress,
  })
  const bought: RunResult = {
    output,
    usage: {
      model: unit.task.model,
      quantity: purchase.quantity,
      unit: unit.task.kind === 'avatar' ? 'image' : 'clip',
      costMicros: purchase.costMicros,
      certain: true,
      maybeDuplicate: false,
    },
  }
  await context.saveMemo({ provider: null, result: bought } satisfies Memo)
  return bought
}

/** There is no time left to ask the provider, so what an earlier attempt began stays unknown. */
function toLateError(hasBegun: boolean): ProviderError {
  const message = 'There was no time left to ask the model service.'
  return new ProviderError('timed_out', message, { wire: hasBegun ? 'ambiguous' : 'not_sent', retryable: false })
}
