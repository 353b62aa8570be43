/** Counts the running test as skipped, with the reason. The test returns after it. */
export function reportSkip(reason: string): void {
  const harness = globalThis as { reportSkip?: (reason: string) => void }
  harness.reportSkip?.(reason)
}
