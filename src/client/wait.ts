import { isSvcError } from '../errors.js'
import { Refusal } from './client.js'

/** The fields that polling needs of a task of any kind. */
export interface PolledTask {
  readonly status: string
  readonly poll_after_seconds?: number | null
}

export interface WaitOptions<Task extends PolledTask> {
  readonly read: () => Promise<Task>
  /** Called with every state that is read. */
  readonly onTask: (task: Task) => void
  /** Called with the message of an error that will be retried. */
  readonly onTrouble: (message: string) => void
  /** Resolves after `ms`, or earlier if the task may have changed. */
  readonly sleep: (ms: number) => Promise<void>
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  readonly deadlineAt: number
}

export interface WaitResult<Task> {
  /** The last state; undefined if no state was read. */
  readonly task: Task | undefined
  readonly timedOut: boolean
}

const finalStatuses = ['success', 'partial_success', 'failed', 'delete_failed']
const pollSecondsByDefault = 3
const longestRetrySeconds = 30

/** True if the task has ended: null says so of any status, also of one that this version does not know. */
export function isFinal({ status, poll_after_seconds }: PolledTask): boolean {
  return poll_after_seconds === null || finalStatuses.includes(status)
}

/**
 * Polls a task until it is final or the deadline has passed, at the interval that the service gives. Retries while the
 * service is busy or unreachable, and throws every other error.
 */
export async function waitForTask<Task extends PolledTask>(options: WaitOptions<Task>): Promise<WaitResult<Task>> {
  let task: Task | undefined
  for (let failures = 0; ; ) {
    let seconds: number
    try {
      task = await options.read()
      options.onTask(task)
      if (isFinal(task)) return { task, timedOut: false }
      failures = 0
      seconds = task.poll_after_seconds ?? pollSecondsByDefault
    } catch (error) {
      // A server that never answered is more likely a wrong address than a restarting server.
      const everAnswered = task !== undefined || error instanceof Refusal
      if (!everAnswered || !isTransient(error)) throw error
      failures++
      options.onTrouble(error.message)
      const retryAfter = error instanceof Refusal ? error.retryAfterSeconds : undefined
      seconds = retryAfter ?? Math.min(2 ** (failures - 1), longestRetrySeconds)
    }
    const left = options.deadlineAt - options.now()
    if (left <= 0) return { task, timedOut: true }
    await options.sleep(Math.min(seconds * 1000, left))
  }
}

/** True for errors that pass: too many calls, a restarting service, a gateway that lost it. */
function isTransient(error: unknown): error is Error {
  return isSvcError(error) && ['rate_limit_exceeded', 'unavailable', 'provider_error'].includes(error.code)
}
