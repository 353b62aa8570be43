import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from '../errors.js'
import { boughtByKind } from '../media/task-inputs.js'
import { type BegunPurchase, type ProviderCall, ProviderError, type Purchase } from '../ports/provider.js'
import type { ClaimedUnit } from '../ports/queue.js'
import type { UnitOutput } from '../ports/tasks.js'
import type { LedgerEntry } from '../ports/usage.js'
import { type RunContext, type RunResult, UnstoredResult } from './unit-attempt.js'

/** A runner's memo of a unit: the provider's memo until the result is bought and stored, then the result. */
interface RunnerMemo {
  readonly provider: unknown
  /** The purchase that the provider's memo has or may have made. */
  readonly begun?: BegunPurchase
  readonly result?: RunResult
}

/** Returns the unfinished purchase in a runner's memo. */
export function findBegun(memo: unknown): BegunPurchase | undefined {
  return (memo as RunnerMemo | null)?.begun
}

/** Returns the stored result in a runner's memo. */
export function findResult(memo: unknown): RunResult | undefined {
  return (memo as RunnerMemo | null)?.result
}

/** A provider's result that is bought and not yet stored. */
export interface PurchasedResult {
  readonly purchase: Purchase
  store(): Promise<UnitOutput>
  /** Deletes a stored file. */
  remove(key: string): Promise<void>
}

const storeAgainMs = 250
const storeAgainMsAtMost = 10_000

/**
 * Buys a result with `buy` and stores it, or returns the result of an earlier attempt. After a crash in between, the provider
 * continues from its memo. While the disk is full, the result and its slot are held, so nothing more is bought meanwhile.
 * Rejects with `UnstoredResult` if the result could not be stored.
 */
export async function buyOnce(
  unit: ClaimedUnit,
  context: RunContext,
  buy: (call: ProviderCall) => Promise<PurchasedResult>,
): Promise<RunResult> {
  const { provider, result } = (unit.memo ?? { provider: null }) as RunnerMemo
  if (result !== undefined) return result
  if (context.signal.aborted) throw toLateError(provider !== null)
  const bought = await buy({
    signal: context.signal,
    unitId: unit.id,
    taskId: unit.task.id,
    leftMs: context.leftMs(),
    traceparent: context.traceparent,
    memo: provider,
    saveMemo: (memo, begun) => context.saveMemo({ provider: memo, ...(begun && { begun }) } satisfies RunnerMemo),
  })
  const usage = toEntry(unit.task, bought.purchase, true)
  let output: UnitOutput | undefined
  try {
    output = await store(bought, context)
    const stored: RunResult = { output, usage }
    // Not required: the outcome is written next, and then the memo is obsolete.
    await context.saveMemo({ provider: null, result: stored } satisfies RunnerMemo).catch(ignoreIfUnavailable)
    return stored
  } catch (error) {
    // The task was removed meanwhile, so nobody will find the files.
    if (output !== undefined && (await context.isGone())) {
      for (const key of Object.values(output.files)) await bought.remove(key)
    }
    throw new UnstoredResult(usage, error)
  }
}

/** Retries storing the result until the signal is aborted. */
async function store(bought: PurchasedResult, { signal, onUnstored }: RunContext): Promise<UnitOutput> {
  for (let delayMs = storeAgainMs; ; delayMs = Math.min(delayMs * 2, storeAgainMsAtMost)) {
    try {
      return await bought.store()
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error
      onUnstored(error, delayMs)
      await delay(delayMs, undefined, { signal }).catch(() => Promise.reject(error))
    }
  }
}

function ignoreIfUnavailable(error: unknown): void {
  if (!isUnavailable(error)) throw error
}

/** Returns the ledger entry of a purchase for a unit of a task. */
export function toEntry(
  { model, kind }: Pick<ClaimedUnit['task'], 'model' | 'kind'>,
  { quantity, costMicros }: Purchase,
  certain: boolean,
): LedgerEntry {
  return { model, quantity, unit: boughtByKind[kind], costMicros, certain, maybeDuplicate: false }
}

/** No time is left to ask the provider, so the outcome of an earlier attempt's purchase stays unknown. */
function toLateError(hasBegun: boolean): ProviderError {
  const message = 'There was no time left to ask the model service.'
  return new ProviderError('timed_out', message, { wire: hasBegun ? 'ambiguous' : 'not_sent', retryable: false })
}
