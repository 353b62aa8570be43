interface BatchItem<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface BatchOptions<Item> {
  readonly itemsAtMost: number
  readonly runsAtMost: number
  /** Items of one key are in different runs. */
  readonly keyOf?: (item: Item) => string
}

/**
 * Returns a function that runs the items of concurrent calls together: a statement for all of them costs little more than for
 * one. While `runsAtMost` runs are under way, further items wait for the next. `run` returns the results in the order of its
 * items; if it rejects, all of its callers get the error.
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { itemsAtMost, runsAtMost, keyOf }: BatchOptions<Item>,
): (item: Item) => Promise<Result> {
  let waiting: BatchItem<Item, Result>[] = []
  let running = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || running >= runsAtMost || waiting.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void runNext()
    })
  }

  function takeGroup(): BatchItem<Item, Result>[] {
    const group: BatchItem<Item, Result>[] = []
    const left: BatchItem<Item, Result>[] = []
    const keys = new Set<string>()
    for (const one of waiting) {
      const key = keyOf?.(one.item)
      const isTaken = group.length < itemsAtMost && (key === undefined || !keys.has(key))
      if (isTaken && key !== undefined) keys.add(key)
      ;(isTaken ? group : left).push(one)
    }
    waiting = left
    return group
  }

  async function runNext(): Promise<void> {
    const group = takeGroup()
    running++
    schedule()
    try {
      const results = await run(group.map(({ item }) => item))
      for (const [place, { resolve }] of group.entries()) resolve(results[place] as Result)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    running--
    schedule()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      schedule()
    })
}
