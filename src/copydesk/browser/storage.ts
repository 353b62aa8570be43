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
export function keep(name: string, value: string): boolean {
  return attempt((storage) => {
    storage.setItem(name, value)
    return true
  }, false)
}

export const recall = (name: string) => attempt((storage) => storage.getItem(name) ?? undefined, undefined)

/** Returns the names of kept values that begin with a prefix. */
export const listKept = (prefix: string): readonly string[] =>
  attempt((storage) => Object.keys(storage).filter((name) => name.startsWith(prefix)), [])

export const forget = (name: string): void => attempt((storage) => storage.removeItem(name), undefined)
