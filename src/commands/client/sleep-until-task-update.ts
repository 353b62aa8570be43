import { setTimeout as delay } from 'node:timers/promises'
import { untilAborted } from '../../runtime/abort.js'
import type { ServiceConnection } from './connect.js'

/** The shortest pause between two reads of a task that this process runs. */
const localPauseMs = 250

/**
 * Returns a sleep between two reads of a task: it lasts as long as the service asks or, if this process runs the task, at most
 * until the worker is idle. It rejects with the reason of `signal` when that is aborted.
 */
export function sleepUntilTaskUpdate({ idle }: Pick<ServiceConnection, 'idle'>, signal: AbortSignal) {
  let waiting: Promise<void> | undefined
  /** Asks again only after the last answer: the worker keeps each waiter until then. */
  const untilIdle = (ask: () => Promise<void>) => {
    waiting ??= ask().finally(() => {
      waiting = undefined
    })
    return waiting
  }
  return async (ms: number): Promise<void> => {
    const rest = new AbortController()
    const pause = (pauseMs: number) => delay(pauseMs, undefined, { signal: rest.signal })
    const updates = idle === undefined ? [] : [Promise.all([pause(Math.min(localPauseMs, ms)), untilIdle(idle)])]
    try {
      await untilAborted(Promise.race([pause(ms), ...updates]), signal)
    } finally {
      rest.abort()
    }
  }
}
