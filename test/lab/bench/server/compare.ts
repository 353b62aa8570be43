import { type BenchRow, median, ratiosOf } from '../row.js'
import type { LoadJob } from './load.js'
import { type Driven, drive, type LoadGenerator, type Running } from './processes.js'

/** V8 goes on compiling the code that turns out to be busy for some ten seconds. */
const roundsToWarm = 4
const rounds = 7
const secondsPerRound = 2

export interface Target {
  readonly server: Running
  readonly job: Omit<LoadJob, 'port' | 'seconds'>
}

/** Runs the job of each server in interleaved rounds, after as many rounds for each that warm it. */
export async function compare<Name extends string>(
  load: LoadGenerator,
  targets: Readonly<Record<Name, Target>>,
): Promise<Record<Name, Driven[]>> {
  const names = Object.keys(targets) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as Driven[]])) as Record<Name, Driven[]>
  for (let round = -roundsToWarm; round < rounds; round++) {
    for (const name of names) {
      const { server, job } = targets[name]
      const result = await drive(load, server, { ...job, seconds: secondsPerRound })
      if (round >= 0) results[name].push(result)
    }
  }
  return results
}

/** The rows of a comparison with a base: the rate, and the 99th percentile of the time until the answer. */
export function toRows(
  { id, what, of, rate, p99 }: { id: string; what: string; of: string; rate: number; p99?: number },
  own: readonly Driven[],
  base: readonly Driven[],
): BenchRow[] {
  const ratio = (read: (result: Driven) => number) => median(ratiosOf(own, base, read)).toFixed(2)
  const middle = (read: (result: Driven) => number) => median(own.map(read))
  const cpu = median(ratiosOf(base, own, ({ cpuMicros }) => cpuMicros)).toFixed(2)
  return [
    {
      id,
      what: `${what}: rate, of ${of}`,
      values: ratiosOf(own, base, ({ perSecond }) => perSecond),
      unit: 'x',
      direction: 'at least',
      goal: rate,
      note: `${middle(({ perSecond }) => perSecond).toFixed(0)}/s; by CPU time ${cpu} (${middle(({ cpuMicros }) => cpuMicros).toFixed(0)} us)`,
    },
    {
      id: `${id}-p99`,
      what: `${what}: p99, of ${of}`,
      values: ratiosOf(own, base, ({ p99Ms }) => p99Ms),
      unit: 'x',
      direction: 'at most',
      goal: p99,
      note: `${middle(({ p99Ms }) => p99Ms).toFixed(2)} ms; p50 ${ratio(({ p50Ms }) => p50Ms)} x (${middle(({ p50Ms }) => p50Ms).toFixed(2)} ms)`,
    },
  ]
}
