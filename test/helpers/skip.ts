import { fleetVariable } from './fleet-folder.js'

/** Counts the running test as skipped, with the reason. The test returns after it. */
export function reportSkip(reason: string): void {
  const harness = globalThis as { reportSkip?: (reason: string) => void }
  harness.reportSkip?.(reason)
}

/** Skips the running test in a run on PostgreSQL and a bucket: it is about a data directory. Returns true if it must return. */
export function skipOnFleet(reason: string): boolean {
  if (process.env[fleetVariable] === undefined) return false
  reportSkip(reason)
  return true
}
