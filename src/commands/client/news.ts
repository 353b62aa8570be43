import { setTimeout as delay } from 'node:timers/promises'
import { untilAborted } from '../../abort.js'
import type { Connection } from './connect.js'

/** How long two looks at a task are apart at least, when this process runs it itself. */
const localPauseMs = 250

/**
 * A sleep between two looks at a task: as long as the service asks; where this process runs the tasks, only until there is
 * nothing left to do. It throws the reason of `signal` when that is aborted.
 */
export function createNewsSleep({ idle }: Pick<Connection, 'idle'>, signal: AbortSignal) {
  let waiting: Promise<void> | undefined
  /** Asked again only when it was answered: whoever waits is kept by the worker until then. */
  const untilIdle = (ask: () => Promise<void>) => {
    waiting ??= ask().finally(() => {
      waiting = undefined
    })
    return waiting
  }
  return async (ms: number): Promise<void> => {
    const rest = new AbortController()
    const pause = (pauseMs: number) => delay(pauseMs, undefined, { signal: rest.signal })
    const news = idle === undefined ? [] : [Promise.all([pause(Math.min(localPauseMs, ms)), untilIdle(idle)])]
    try {
      await untilAborted(Promise.race([pause(ms), ...news]), signal)
    } finally {
      rest.abort()
    }
  }
}
