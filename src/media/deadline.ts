const hoursAtMost = 24

/**
 * Returns the time at which a task that is created now fails permanently: after a day, so that a machine that was off
 * overnight still completes its work.
 */
export function findDeadline(now: Date): Date {
  return new Date(now.getTime() + hoursAtMost * 3_600_000)
}
