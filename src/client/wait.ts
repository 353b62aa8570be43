import { isSvcError } from '../errors.js'
import { Refusal } from './client.js'

/** What waiting needs of a task of any kind. */
export interface Awaited {
  readonly status: string
  readonly poll_after_seconds?: number | null
}

export interface WaitOptions<Task extends Awaited> {
  readonly read: () => Promise<Task>
  /** Told of every state that is read. */
  readonly onTask: (task: Task) => void
  /** Told why a look at the task failed, when it is worth another. */
  readonly onTrouble: (message: string) => void
  /** Resolves after so long, or sooner when there may be news. */
  readonly sleep: (ms: number) => Promise<void>
  readonly now: () => number
  /** Epoch milliseconds. */
  readonly deadlineAt: number
}

export interface WaitResult<Task> {
  /** As it was seen last; undefined if it was never to be seen. */
  readonly task: Task | undefined
  readonly timedOut: boolean
}

const finalStatuses = ['success', 'partial_success', 'failed', 'delete_failed']
const pollSecondsByDefault = 3
const longestRetrySeconds = 30

export function isFinal({ status }: Awaited): boolean {
  return finalStatuses.includes(status)
}

/**
 * Looks at a task until it is final or the deadline has passed, as often as the service asks to be asked. Where the
 * service is busy or away, it is asked again. Throws what asking again cannot cure.
 */
export async function waitForTask<Task extends Awaited>(options: WaitOptions<Task>): Promise<WaitResult<Task>> {
  let task: Task | undefined
  for (let troubles = 0; ; ) {
    let seconds: number
    try {
      task = await options.read()
      options.onTask(task)
      if (isFinal(task)) return { task, timedOut: false }
      troubles = 0
      seconds = task.poll_after_seconds ?? pollSecondsByDefault
    } catch (error) {
      // A server that never answered is more likely a wrong address than one that starts again.
      const everAnswered = task !== undefined || error instanceof Refusal
      if (!everAnswered || !isWorthAnother(error)) throw error
      troubles++
      options.onTrouble(error.message)
      const asked = error instanceof Refusal ? error.retryAfterSeconds : undefined
      seconds = asked ?? Math.min(2 ** (troubles - 1), longestRetrySeconds)
    }
    const left = options.deadlineAt - options.now()
    if (left <= 0) return { task, timedOut: true }
    await options.sleep(Math.min(seconds * 1000, left))
  }
}

/** What passes by itself: too many calls, a service that starts again, a gateway in between that lost it. */
function isWorthAnother(error: unknown): error is Error {
  return isSvcError(error) && ['rate_limit_exceeded', 'unavailable', 'provider_error'].includes(error.code)
}
