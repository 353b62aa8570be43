import { setTimeout as delay } from 'node:timers/promises'
import { isSvcError } from '../errors.js'
import { settleTask } from '../media/status.js'
import { boughtByKind } from '../media/tasks.js'
import { type Begun, isProviderError } from '../ports/provider.js'
import type { ClaimedUnit, LedgerEntry, UnitFailure, UnitOutcome } from '../ports/tasks.js'
import { describeFailure } from './failures.js'
import { findBegun } from './purchase.js'
import { type Failure, type FailureCounts, findRetryDelayMs } from './retry.js'
import { type RunResult, UnstoredResult } from './runner.js'
import type { createUnitLog } from './unit-log.js'
import type { WorkerOptions } from './worker.js'

export type WorkOptions = Pick<WorkerOptions, 'store' | 'log' | 'runners' | 'onProgress' | 'backoffMsAtMost'> & {
  readonly leaseMs: number
  readonly now: () => number
}

/** Why a run is stopped from outside; the reason of its signal. */
export type Stop = 'lost' | 'released' | 'deadline'

/** A unit in work and what is known of it. */
export interface Work {
  readonly unit: ClaimedUnit
  readonly options: WorkOptions
  readonly controller: AbortController
  readonly log: ReturnType<typeof createUnitLog>
  readonly failures: FailureCounts
  /** What the runner keeps for the next attempt. */
  memo: unknown
  /** It is lost or handed back, perhaps after its deadline: the signal tells the first reason alone. */
  isOver: boolean
}

export function stopWork(work: Work, why: Stop): void {
  if (why !== 'deadline') work.isOver = true
  work.controller.abort(why)
}

/** A runner that was told to stop and did not. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned'
}

const saveAgainMs = 250
/** How long before its deadline what was ordered is asked for the last time, whatever wait was asked for. */
const lastTryMs = 30_000

/** Writes what a unit delivered. */
export async function succeed(work: Work, { output, usage }: RunResult): Promise<void> {
  const booked = usage && markDuplicate(work, usage)
  if (await settle(work, { status: 'success', output, usage: booked })) work.log('succeeded')
}

/** Writes what comes of an error: another try, a failure, or nothing where the unit is not ours any more. */
export async function handleError(work: Work, error: unknown): Promise<void> {
  const { unit, options, controller, log } = work
  const stop: Stop | undefined = controller.signal.aborted ? controller.signal.reason : undefined
  if (stop === 'lost') return log('lost')
  if (stop === 'released') {
    await options.store.releaseUnits([unit.lease])
    return log('released')
  }
  const { view, usage, retry } = describe(work, error, stop)
  const delayMs = retry && findDelayMs(work, retry)
  if (delayMs === undefined) return fail(work, view, usage, error)
  const isUnclear = retry?.wire === 'ambiguous'
  const failures = retry && { ...work.failures, [retry.wire]: (work.failures[retry.wire] ?? 0) + 1 }
  // What is to be bought again must not find the traces of the first time. With them nothing is booked yet: the next
  // attempt meets again what was bought.
  const change = { delayMs, memo: { failures, memo: isUnclear ? null : work.memo }, usage: isUnclear ? usage : null }
  if (await persist(work, () => options.store.retryUnit(unit.lease, change)))
    log('retrying', { code: view.code, delay_ms: delayMs, error })
}

/** How long until the next try, if there is one: waiting past the deadline would only hide the reason. */
function findDelayMs({ unit, options, failures }: Work, retry: Failure): number | undefined {
  const delayMs = findRetryDelayMs(unit.task.kind, retry, failures, options.backoffMsAtMost)
  const leftMs = unit.deadlineAt.getTime() - options.now()
  if (delayMs === undefined || delayMs < leftMs) return delayMs
  return retry.wire === 'ordered' && leftMs > lastTryMs ? leftMs - lastTryMs : undefined
}

interface Described {
  readonly view: UnitFailure
  /** What was or may have been bought. */
  readonly usage: LedgerEntry | null
  /** Unless it is final. */
  readonly retry?: Failure
}

function describe(work: Work, thrown: unknown, stop: Stop | undefined): Described {
  const { input } = work.unit.task
  const unstored = thrown instanceof UnstoredResult ? thrown : undefined
  const error = unstored === undefined ? thrown : unstored.cause
  const usage = unstored ? markDuplicate(work, unstored.usage) : toUsage(work, error)
  if (stop === 'deadline') return { view: describeFailure('timed_out', input), usage }
  if (isProviderError(error)) return { view: describeFailure(error.code, input), usage, retry: error }
  // The database or the disk is out of order: what was done stands in the memo.
  const isPassing = isSvcError(error) && error.code === 'unavailable'
  const retry = { wire: 'not_sent', retryable: true } as const
  return { view: describeFailure('internal_error', input), usage, ...(isPassing && { retry }) }
}

/** The call repeats one of which nobody knows whether it was paid. */
function markDuplicate({ failures }: Work, usage: LedgerEntry): LedgerEntry {
  return (failures.ambiguous ?? 0) > 0 ? { ...usage, maybeDuplicate: true } : usage
}

/** What was or may have been paid: as the error says, or else as stands in the memo. */
function toUsage(work: Work, error: unknown): LedgerEntry | null {
  const { task } = work.unit
  const begun = findLost(error) ?? findBegun(work.memo) ?? findUnknown(error)
  if (begun === undefined) return null
  const { purchase, isOrdered } = begun
  const booked = { ...purchase, unit: boughtByKind[task.kind], certain: isOrdered, maybeDuplicate: false }
  return markDuplicate(work, { model: task.model, ...booked })
}

function findLost(error: unknown): Begun | undefined {
  if (!isProviderError(error) || error.purchase === undefined) return undefined
  const isOrdered = error.wire === 'ordered'
  return isOrdered || error.wire === 'ambiguous' ? { purchase: error.purchase, isOrdered } : undefined
}

/** Of a provider that keeps no memo. */
function findUnknown(error: unknown): Begun | undefined {
  const isUnclear = error instanceof Abandoned || (isProviderError(error) && error.wire === 'ambiguous')
  return isUnclear ? { purchase: { quantity: 1, costMicros: 0 }, isOrdered: false } : undefined
}

async function fail(work: Work, failure: UnitFailure, usage: LedgerEntry | null, error: unknown): Promise<void> {
  if (await settle(work, { status: 'failed', failure, usage })) work.log('failed', { code: failure.code, error })
}

function settle(work: Work, outcome: UnitOutcome): Promise<boolean> {
  const { unit, options } = work
  return persist(work, () =>
    options.store.settleUnit(unit.lease, outcome, (units) => settleTask(unit.task.kind, units)),
  )
}

/** Writes what became of the unit; a database out of order is asked again for as long as the lease is held. */
async function persist(work: Work, write: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    try {
      const isHeld = await write()
      if (!isHeld) work.log('lost')
      return isHeld
    } catch (error) {
      const isPassing = isSvcError(error) && error.code === 'unavailable'
      if (!isPassing || work.isOver) throw error
    }
    await delay(saveAgainMs)
  }
}
