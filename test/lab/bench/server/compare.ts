import { atLeast, atMost, type BenchRow, median, ratiosOf, row } from '../row.js'
import type { LoadJob } from './load.js'
import { type Driven, drive, type LoadGenerator, type Running } from './processes.js'

/** V8 goes on compiling the code that turns out to be busy for so many calls. */
const callsToWarm = 20_000
/** A server that has just started compiles most of its code in these. */
export const firstCalls = 8000
const secondsPerRound = 2

export interface Target {
  readonly server: Running
  readonly job: Omit<LoadJob, 'port' | 'seconds'>
}

/** Runs the job of each server in interleaved rounds, after the calls that warm it. */
export async function compare<Name extends string>(
  load: LoadGenerator,
  targets: Readonly<Record<Name, Target>>,
  rounds = 7,
): Promise<Record<Name, Driven[]>> {
  const names = Object.keys(targets) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as Driven[]])) as Record<Name, Driven[]>
  for (const name of names) await call(load, targets[name], callsToWarm)
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const { server, job } = targets[name]
      results[name].push(await drive(load, server, { ...job, seconds: secondsPerRound }))
    }
  }
  return results
}

/** Runs the job of a server for a number of calls. */
export const call = (load: LoadGenerator, { server, job }: Target, calls: number): Promise<Driven> =>
  drive(load, server, { ...job, seconds: 600, requestsAtMost: calls })

/** The CPU time of a server for an answer, of that of the base. */
export const toCpuRatios = (own: readonly Driven[], base: readonly Driven[]) =>
  ratiosOf(own, base, ({ cpuMicros }) => cpuMicros)

/** The rows of a comparison with a base: the rate, and the 99th percentile of the time until the answer. */
export function toRows(
  { id, what, of, rate, p99 }: { id: string; what: string; of: string; rate: number; p99?: number },
  own: readonly Driven[],
  base: readonly Driven[],
): BenchRow[] {
  const ratio = (read: (result: Driven) => number) => median(ratiosOf(own, base, read)).toFixed(2)
  const middle = (read: (result: Driven) => number, digits: number) => median(own.map(read)).toFixed(digits)
  const cpu = median(ratiosOf(base, own, ({ cpuMicros }) => cpuMicros)).toFixed(2)
  const perSecond = middle((result) => result.perSecond, 0)
  const micros = middle(({ cpuMicros }) => cpuMicros, 0)
  const [p50Ms, p99Ms] = [middle((result) => result.p50Ms, 2), middle((result) => result.p99Ms, 2)]
  return [
    row(
      id,
      `${what}: rate, of ${of}`,
      ratiosOf(own, base, (result) => result.perSecond),
      atLeast(rate),
      `${perSecond}/s; by CPU time ${cpu} (${micros} us)`,
    ),
    row(
      `${id}-p99`,
      `${what}: p99, of ${of}`,
      ratiosOf(own, base, (result) => result.p99Ms),
      atMost(p99),
      `${p99Ms} ms; p50 ${ratio((result) => result.p50Ms)} x (${p50Ms} ms)`,
    ),
  ]
}
