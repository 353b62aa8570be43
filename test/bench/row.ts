/** One line of the table that `npm run bench` prints. */
export interface BenchRow {
  readonly what: string
  /** The ratio or rate, with what it is of. */
  readonly measured: string
  readonly goal: string
  /** Not said where it was not measured. */
  readonly met?: boolean
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/**
 * Median seconds of each action, taken in interleaved rounds after one that does not count: what else the machine does
 * falls on all of them alike, so that ratios hold.
 */
export async function measureInterleaved<Name extends string>(
  actions: Readonly<Record<Name, () => unknown>>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(actions) as Name[]
  const seconds = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const start = performance.now()
      await actions[name]()
      if (round > 0) seconds[name].push((performance.now() - start) / 1000)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(seconds[name])])) as Record<Name, number>
}
