import type { Created, TaskStatus } from './answers.js'
import { CallError } from './api.js'

const ended: readonly TaskStatus[] = ['success', 'partial_success', 'failed']
const defaultSeconds = 3

export const isEnded = ({ status }: { readonly status: TaskStatus }): boolean => ended.includes(status)

export const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/**
 * Polls a task until it has ended, or until `isWanted` returns false, at the interval that the server gives. Retries like
 * `retryTransient`.
 */
export async function follow<T extends Created & { readonly status: TaskStatus }>(
  read: () => Promise<T>,
  onSeen: (task: T) => void,
  onRetry: (error: CallError) => void,
  isWanted = () => true,
): Promise<T> {
  for (;;) {
    const task = await retryTransient(read, onRetry)
    onSeen(task)
    if (isEnded(task) || !isWanted()) return task
    await wait(task.poll_after_seconds ?? defaultSeconds)
  }
}

/** Retries transient errors (no answer, too many calls) and reports each to `onRetry`. Throws the other errors. */
export async function retryTransient<T>(read: () => Promise<T>, onRetry: (error: CallError) => void): Promise<T> {
  for (let retries = 1; ; retries++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof CallError && error.isTransient)) throw error
      onRetry(error)
      await wait(error.retryAfterSeconds ?? Math.min(2 ** retries / 2, 10))
    }
  }
}
