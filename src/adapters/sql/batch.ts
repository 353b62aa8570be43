/** Returns the first items that together weigh no more than `atMost`. A single item may weigh more. */
export function takeGroup<Item>(waiting: readonly Item[], weigh: (item: Item) => number, atMost: number): Item[] {
  let weight = 0
  const end = waiting.findIndex((item, place) => {
    weight += weigh(item)
    return place > 0 && weight > atMost
  })
  return end === -1 ? [...waiting] : waiting.slice(0, end)
}

interface BatchItem<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

interface BatchLimit<Item> {
  readonly atMost: number
  /** By default, each item weighs 1. */
  readonly weigh?: (item: Item) => number
}

/**
 * Returns a function that runs the items of one event-loop turn together: a statement or commit for all of them costs little
 * more than for one. While a group runs, further items wait for the next. `run` returns the results in the order of its items;
 * if it rejects, all of its callers get the error.
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { atMost, weigh = () => 1 }: BatchLimit<Item>,
): (item: Item) => Promise<Result> {
  let waiting: BatchItem<Item, Result>[] = []
  let isRunning = false

  async function runWaiting(): Promise<void> {
    const group = takeGroup(waiting, ({ item }) => weigh(item), atMost)
    waiting = waiting.slice(group.length)
    try {
      const results = await run(group.map(({ item }) => item))
      for (const [place, { resolve }] of group.entries()) resolve(results[place] as Result)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    isRunning = waiting.length > 0
    if (isRunning) setImmediate(runWaiting)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      setImmediate(runWaiting)
    })
}
