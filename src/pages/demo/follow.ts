import type { TaskStatus } from './answers.js'
import { CallError } from './api.js'

const ended: readonly TaskStatus[] = ['success', 'partial_success', 'failed']

export const isEnded = ({ status }: { readonly status: TaskStatus }): boolean => ended.includes(status)

export const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Retries transient errors (no response, too many calls) and reports each to `onRetry`. Throws the other errors. */
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
