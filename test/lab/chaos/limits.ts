import { setTimeout as delay } from 'node:timers/promises'
import { query } from '../../helpers/postgres.js'
import type { Answered } from '../power/workload.js'
import { LostAnswer } from '../soak/caller.js'
import type { FleetProgram } from './fleet-program.js'

/** A key whose calls are limited, and the limit. */
export interface LimitedKey {
  readonly id: string
  readonly text: string
}

export const callsPerMinute = 120
export const slots = 3
export const pictureMicros = 40_000
export const budgetMicros = 1_000_000

const windowMs = 60_000
const sampleMs = 50
const acceptedOrRefused = [200, 429]
const toHeaders = ({ text }: LimitedKey) => ({ authorization: `Bearer ${text}` })

/** Asks for more than the limits permit, until `signal` is aborted. Resolves with a sentence per limit that did not hold. */
export async function testLimits(
  program: FleetProgram,
  keys: { readonly rate: LimitedKey; readonly budget: LimitedKey },
  makeAvatar: (headers: Record<string, string>, expected: readonly number[]) => Promise<Answered>,
  address: string,
  signal: AbortSignal,
): Promise<string[]> {
  const faults = await Promise.all([
    testRate(program, keys.rate, signal),
    spendBudget(() => makeAvatar(toHeaders(keys.budget), acceptedOrRefused), signal),
    watchSlots(address, signal),
  ])
  return faults.flat()
}

async function testRate(program: FleetProgram, key: LimitedKey, signal: AbortSignal): Promise<string[]> {
  const accepted: { readonly sentAtMs: number; readonly answeredAtMs: number }[] = []
  let refused = 0
  const callOften = async () => {
    while (!signal.aborted) {
      const { status, sentAtMs } = await program.caller.send('GET', '/v1/models', undefined, toHeaders(key), [200, 429])
      if (status === 429) refused++
      // A call that was repeated after a lost answer may have counted before it was sent again.
      else accepted.push({ sentAtMs, answeredAtMs: Date.now() })
      await delay(100)
    }
  }
  await Promise.all([callOften(), callOften(), callOften()])
  const most = Math.max(...accepted.map(({ sentAtMs: from }) => countWithin(accepted, from, from + windowMs)))
  return [
    ...(most > callsPerMinute ? [`${most} calls of a key were accepted in a minute, not ${callsPerMinute}`] : []),
    ...(refused === 0 ? ['no call exceeded the limit of its key'] : []),
  ]
}

function countWithin(
  calls: readonly { readonly sentAtMs: number; readonly answeredAtMs: number }[],
  from: number,
  to: number,
): number {
  return calls.filter(({ sentAtMs, answeredAtMs }) => sentAtMs >= from && answeredAtMs <= to).length
}

/** Creates avatars until the budget is spent, and then goes on to ask. */
async function spendBudget(makeAvatar: () => Promise<Answered>, signal: AbortSignal): Promise<string[]> {
  let refused = 0
  const faults: string[] = []
  const create = async () => {
    while (!signal.aborted) {
      await makeAvatar().then(
        ({ status }) => {
          if (status === 429) refused++
        },
        (error: Error) => {
          if (!(error instanceof LostAnswer)) faults.push(error.message)
        },
      )
      await delay(500)
    }
  }
  await Promise.all([create(), create(), create()])
  return refused === 0 ? [...faults, 'the budget of a key was never spent'] : faults
}

/** Counts the units in work of a model over all processes. */
async function watchSlots(address: string, signal: AbortSignal): Promise<string[]> {
  let most = 0
  while (!signal.aborted) {
    const text = `select count(*) as units from units where status = 'processing' and provider <> 'stub'`
    // The server may be down.
    const [row] = await query(address, text).catch(() => [])
    most = Math.max(most, Number(row?.units ?? 0))
    await delay(sampleMs)
  }
  return [
    ...(most > slots ? [`${most} units of a model were in work at once, not ${slots}`] : []),
    ...(most < slots ? [`only ${most} of ${slots} slots were used at once`] : []),
  ]
}
