/** One line of the table that `npm run bench` prints. */
export interface BenchRow {
  readonly id: string
  /** Names what is measured, and what it is compared with. */
  readonly what: string
  /** Ratios, times or sizes of the rounds; empty if it was not measured. */
  readonly values: readonly number[]
  /** `x` for a ratio. */
  readonly unit: 'x' | 'ms' | 's' | 'us' | 'MiB' | '/s' | ''
  readonly direction: 'at least' | 'at most'
  readonly goal?: number
  /** Rates, CPU time, or why it was not measured. */
  readonly note?: string
}

type Goal = Pick<BenchRow, 'unit' | 'direction' | 'goal'>
export const atLeast = (goal: number, unit: BenchRow['unit'] = 'x'): Goal => ({ unit, direction: 'at least', goal })
export const atMost = (goal: number | undefined, unit: BenchRow['unit'] = 'x'): Goal => ({
  unit,
  direction: 'at most',
  goal,
})
export const row = (id: string, what: string, values: readonly number[], goal: Goal, note?: string): BenchRow => ({
  ...{ id, what, values, note },
  ...goal,
})

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** The ratio of each round to the base of the same round, since both ran under the same load. */
export function ratiosOf<T>(values: readonly T[], base: readonly T[], read: (value: T) => number): number[] {
  return values.map((value, round) => read(value) / read(base[round] ?? value))
}

/**
 * Seconds of each action, taken in interleaved rounds after one that does not count: what else the machine does falls on all
 * of them alike, so that ratios hold.
 */
export async function measureInterleaved<Name extends string>(
  actions: Readonly<Record<Name, () => unknown>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(actions) as Name[]
  const seconds = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const start = performance.now()
      await actions[name]()
      if (round > 0) seconds[name].push((performance.now() - start) / 1000)
    }
  }
  return seconds
}

/** The ratio of the times of two actions, round by round. */
export const timeRatios = (seconds: readonly number[], base: readonly number[]) =>
  ratiosOf(seconds, base, (value) => value)
