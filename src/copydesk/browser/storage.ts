/** Keeps a value in this browser. Returns false if storage is full, or forbidden as for some pages from disk. */
export function keep(name: string, value: string): boolean {
  try {
    localStorage.setItem(name, value)
    return true
  } catch {
    // The page tells its reader.
    return false
  }
}

export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    // As above: nothing is stored.
    return undefined
  }
}

/** Returns the names of kept values that begin with a prefix. */
export function listKept(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  } catch {
    // As above.
    return []
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // As above.
  }
}
