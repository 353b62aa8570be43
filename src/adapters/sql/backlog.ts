import { SvcError } from '../../errors.js'

const tickMs = 20
/** Records may be lost for 100 ms. */
const ticksOnTime = 5
/** After two seconds, the time for which a write waits for the lock of another process. */
const ticksUntilStuck = 100

/** Counts the records that are not on disk, and tells when they are late. */
export interface Backlog {
  /** Adds a record. */
  add(): void
  /** Removes the oldest records, which are on disk. */
  remove(count: number): void
  /** True if a record has waited for 100 ms. */
  readonly isLate: boolean
  /** True if records are late for two seconds. */
  readonly isStuck: boolean
  /** Resolves when no record is late. Rejects with `unavailable` as soon as records are stuck. */
  wait(): Promise<void>
  /** Stops the count. */
  close(): void
}

interface BacklogWaiter {
  resolve(): void
  reject(error: SvcError): void
}

/**
 * Counts time in ticks of this process: on a busy machine, the loop may be blocked for longer than the limit, and
 * answers no call meanwhile. A disk that needs longer delays calls, and only one that hangs has them refused.
 */
export function createBacklog(): Backlog {
  let added = 0
  let removed = 0
  /** The count of added records at each of the last ticks. */
  let marks: number[] = []
  let lateTicks = 0
  let timer: NodeJS.Timeout | undefined
  const waiting: BacklogWaiter[] = []

  function tick(): void {
    const mark = marks.length < ticksOnTime ? 0 : (marks.shift() ?? 0)
    marks.push(added)
    lateTicks = removed < mark ? lateTicks + 1 : 0
    if (lateTicks === 0) release()
    else if (isStuck()) refuse()
    if (removed === added) stop()
  }

  const isStuck = () => lateTicks >= ticksUntilStuck

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    marks = []
    lateTicks = 0
  }

  function release(): void {
    for (const { resolve } of waiting.splice(0)) resolve()
  }

  function refuse(): void {
    const message = 'The service cannot record calls at the moment. Try again later.'
    for (const { reject } of waiting.splice(0)) reject(new SvcError('unavailable', message))
  }

  return {
    add() {
      added++
      timer ??= setInterval(tick, tickMs)
    },
    remove(count) {
      removed += count
      if (lateTicks > 0 && removed >= (marks[0] ?? 0)) {
        lateTicks = 0
        release()
      }
    },
    get isLate() {
      return lateTicks > 0
    },
    get isStuck() {
      return isStuck()
    },
    wait: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        if (isStuck()) refuse()
      }),
    close() {
      stop()
      refuse()
    },
  }
}
