const atOnce = 16

/**
 * Calls `work` for each item, 16 at once, since a bucket takes milliseconds per file. Rejects with the first error after
 * the running calls.
 */
export async function forEachObject<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  let failed = false
  const runs = Array.from({ length: atOnce }, async () => {
    for (let next = left.next(); !failed && next.done !== true; next = left.next()) {
      await work(next.value).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  })
  for (const end of await Promise.allSettled(runs)) if (end.status === 'rejected') throw end.reason
}
