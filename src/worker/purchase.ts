import { setTimeout as delay } from 'node:timers/promises'
import { isSvcError } from '../errors.js'
import { boughtByKind } from '../media/tasks.js'
import { type Begun, type ProviderCall, ProviderError, type Purchase } from '../ports/provider.js'
import type { ClaimedUnit, LedgerEntry, UnitOutput } from '../ports/tasks.js'
import { type RunContext, type RunResult, UnstoredResult } from './runner.js'

/** What a runner keeps of a unit: the provider's own memo until the result is bought and stored, then the result. */
interface Memo {
  readonly provider: unknown
  /** What the provider's memo has or may have bought. */
  readonly begun?: Begun
  readonly result?: RunResult
}

/** What the memo of a runner says was begun to be bought and has not come to an end. */
export function findBegun(memo: unknown): Begun | undefined {
  return (memo as Memo | null)?.begun
}

/** What the provider answered with. */
export interface Bought {
  readonly purchase: Purchase
  store(): Promise<UnitOutput>
}

const storeAgainMs = 250
const storeAgainMsAtMost = 10_000

/**
 * Buys and stores with `buy`, or gives what an earlier attempt bought and stored. A crash in between leaves it to the
 * provider, which finds its memo again. While the disk takes nothing, what was bought is held, and so is its slot: nothing
 * more is bought meanwhile. Throws `UnstoredResult` if it could not be stored.
 */
export async function buyOnce(
  unit: ClaimedUnit,
  context: RunContext,
  buy: (call: ProviderCall) => Promise<Bought>,
): Promise<RunResult> {
  const { provider, result } = (unit.memo ?? { provider: null }) as Memo
  if (result !== undefined) return result
  if (context.signal.aborted) throw toLateError(provider !== null)
  const bought = await buy({
    signal: context.signal,
    unitId: unit.id,
    taskId: unit.task.id,
    deadlineAt: unit.deadlineAt,
    memo: provider,
    saveMemo: (memo, begun) => context.saveMemo({ provider: memo, ...(begun && { begun }) } satisfies Memo),
    onProgress: context.onProgress,
  })
  const usage = toUsage(unit, bought.purchase)
  try {
    const stored: RunResult = { output: await store(bought, context), usage }
    // What it has come to is written next, and then the memo is of no use any more.
    await context.saveMemo({ provider: null, result: stored } satisfies Memo).catch(ignoreIfPassing)
    return stored
  } catch (error) {
    throw new UnstoredResult(usage, error)
  }
}

/** Stores for as long as the unit is ours and there is time. */
async function store(bought: Bought, { signal, onUnstored }: RunContext): Promise<UnitOutput> {
  for (let delayMs = storeAgainMs; ; delayMs = Math.min(delayMs * 2, storeAgainMsAtMost)) {
    try {
      return await bought.store()
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error
      onUnstored(error, delayMs)
      await delay(delayMs, undefined, { signal }).catch(() => Promise.reject(error))
    }
  }
}

const isPassing = (error: unknown) => isSvcError(error) && error.code === 'unavailable'

function ignoreIfPassing(error: unknown): void {
  if (!isPassing(error)) throw error
}

function toUsage({ task }: ClaimedUnit, { quantity, costMicros }: Purchase): LedgerEntry {
  return {
    model: task.model,
    quantity,
    unit: boughtByKind[task.kind],
    costMicros,
    certain: true,
    maybeDuplicate: false,
  }
}

/** There is no time left to ask the provider, so what an earlier attempt began stays unknown. */
function toLateError(hasBegun: boolean): ProviderError {
  const message = 'There was no time left to ask the model service.'
  return new ProviderError('timed_out', message, { wire: hasBegun ? 'ambiguous' : 'not_sent', retryable: false })
}
