/** Uses the storage of this browser. Returns `otherwise` if it is full, or forbidden as for some pages from disk. */
function attempt<Result>(use: (storage: Storage) => Result, otherwise: Result): Result {
  try {
    return use(localStorage)
  } catch {
    // The page tells its reader that a value is not kept.
    return otherwise
  }
}

/** Keeps a value in this browser. Returns false if it cannot. */
export function keep(name: string, value: unknown): boolean {
  return attempt((storage) => {
    storage.setItem(name, JSON.stringify(value))
    return true
  }, false)
}

/** Reads a kept value. Returns undefined for a name without one, and for a value that another program of this address wrote. */
export const recall = <Kept, Value>(name: string, read: (kept: Kept) => Value): Value | undefined =>
  attempt((storage) => {
    const text = storage.getItem(name)
    return text === null ? undefined : read(JSON.parse(text))
  }, undefined)

/** Returns the names of kept values that begin with a prefix. */
export const listKept = (prefix: string): readonly string[] =>
  attempt((storage) => Object.keys(storage).filter((name) => name.startsWith(prefix)), [])

export const forget = (name: string): void => attempt((storage) => storage.removeItem(name), undefined)
