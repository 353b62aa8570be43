import { SvcError } from '../../errors.js'
import { programName } from '../../runtime/program-name.js'
import { describeOffset } from '../../text/time.js'

/** The interval at which a process reads the offset that another one may have stored. */
export const followMs = 1000
/** The row of `settings` that has the offset. */
export const settingName = 'clock_offset_ms'
export const offsetText = `select value from settings where name = '${settingName}'`

/** The clock of this process. */
export type MovableClock = ReturnType<typeof createMovableClock>

/**
 * Creates a clock that is ahead of `read` by the offset that the database had at the last `follow`. `mayMove` is false in
 * production, which ignores offsets.
 */
export function createMovableClock(read: () => number, mayMove: boolean) {
  let offsetMs = 0
  let movedAt = Number.NEGATIVE_INFINITY
  return {
    now: () => read() + offsetMs,
    offsetMs: () => offsetMs,
    mayMove,
    /** Uses the offset that was read from the database; no offset without a value. `readAt` is on the monotonic clock. */
    follow(stored: string | null | undefined, readAt = performance.now()): void {
      // A heartbeat that was sent before the move may bring the former offset.
      if (mayMove && readAt >= movedAt) offsetMs = Number(stored ?? 0)
    },
    /** Uses an offset that this process has stored. */
    move(stored: string | undefined): void {
      offsetMs = Number(stored ?? 0)
      movedAt = performance.now()
    },
  }
}

/**
 * Throws `invalid_request` if the database has an offset that this process may not use. `storage` is the option of commands that
 * finds the service.
 */
export function requireMayMove({ mayMove }: MovableClock, stored: string | null | undefined, storage: string): void {
  const offsetMs = Number(stored ?? 0)
  if (mayMove || offsetMs === 0) return
  throw new SvcError(
    'invalid_request',
    `The clock of this service is ${describeOffset(offsetMs)}, for tests; with SVC_ENV=production it must be the real time. ` +
      `Reset it with: SVC_ENV=test ${programName()} clock reset ${storage}`.trimEnd(),
  )
}
