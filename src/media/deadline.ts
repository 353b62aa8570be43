const hoursAtMost = 24

/** When a task that is created now fails for good. A day, so that a machine that was off over night still ends its work. */
export function findDeadline(now: Date): Date {
  return new Date(now.getTime() + hoursAtMost * 3_600_000)
}
