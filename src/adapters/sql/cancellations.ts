import { isUnavailable } from '../../errors.js'

const retryMs = 500

export interface Cancellations {
  /** Cancels now. If the database is unavailable, rejects, and retries in the background until `untilMs` from now. */
  cancel(key: string, work: () => Promise<void>, untilMs: number): Promise<void>
  /** Cancels in the background. */
  cancelLater(key: string, work: () => Promise<void>, untilMs: number): void
  close(): void
}

/** Frees what would otherwise be held until it expires, because the database was lost when it should have been released. */
export function createCancellations(): Cancellations {
  const left = new Map<string, { readonly work: () => Promise<void>; readonly until: number }>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function schedule(): void {
    if (left.size > 0 && !isClosed) timer ??= setTimeout(retryAll, retryMs).unref()
  }

  async function retryAll(): Promise<void> {
    for (const [key, { work, until }] of [...left]) {
      try {
        await work()
        left.delete(key)
      } catch {
        // The caller was told already.
        if (performance.now() > until) left.delete(key)
      }
    }
    timer = undefined
    schedule()
  }

  function cancelLater(key: string, work: () => Promise<void>, untilMs: number): void {
    left.set(key, { work, until: performance.now() + untilMs })
    schedule()
  }

  return {
    cancelLater,
    async cancel(key, work, untilMs) {
      try {
        await work()
      } catch (error) {
        if (isUnavailable(error)) cancelLater(key, work, untilMs)
        throw error
      }
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
