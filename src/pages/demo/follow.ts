import type { Created, TaskStatus } from './answers.js'
import { CallError } from './api.js'

const ended: readonly TaskStatus[] = ['success', 'partial_success', 'failed']
const defaultSeconds = 3

export const isEnded = ({ status }: { readonly status: TaskStatus }): boolean => ended.includes(status)

export const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Queries a task until it has ended, as often as the server asks for. Gaps are as those of `insist`. */
export async function follow<T extends Created & { readonly status: TaskStatus }>(
  read: () => Promise<T>,
  onSeen: (task: T) => void,
  onGap: (error: CallError) => void,
): Promise<T> {
  for (;;) {
    const task = await insist(read, onGap)
    onSeen(task)
    if (isEnded(task)) return task
    await wait(task.poll_after_seconds ?? defaultSeconds)
  }
}

/** Reads something at last. What passes (no answer, too fast) is told to `onGap`, and tried again. Throws the other errors. */
export async function insist<T>(read: () => Promise<T>, onGap: (error: CallError) => void): Promise<T> {
  for (let gaps = 1; ; gaps++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof CallError && error.isPassing)) throw error
      onGap(error)
      await wait(error.retryAfterSeconds ?? Math.min(2 ** gaps / 2, 10))
    }
  }
}
