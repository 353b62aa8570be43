import type { Worker } from 'node:worker_threads'
import { ProviderError } from '../../../ports/provider.js'
import type { Drawing, DrawingFiles, Order, Report } from './order.js'

/** Threads that draw, so that nobody waits who asks the server for something else. */
export interface DrawingPool {
  /**
   * Resolves with the files. Throws the reason of `signal` at once when it is aborted; ProviderError for what
   * cannot be drawn and, as what may be tried again, for a thread that ended and a pool that closed.
   */
  draw(drawing: Drawing, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<DrawingFiles>
  /** Stops what is drawn. Resolves when the threads have ended. */
  close(): Promise<void>
}

interface Job {
  readonly drawing: Drawing
  readonly onProgress: (fraction: number) => void
  readonly resolve: (files: DrawingFiles) => void
  readonly reject: (error: unknown) => void
}

interface Lane {
  /** Starts with its first job, and again after one that ended. */
  worker: Worker | undefined
  /** What the thread is busy with, even when nobody waits for it any more. */
  job: Job | undefined
  fault: unknown
}

/** A pool of `threads` lanes; `start` starts one thread that keeps to the messages of `order.ts`. */
export function createPool(threads: number, start: () => Worker): DrawingPool {
  const lanes: Lane[] = Array.from({ length: threads }, () => ({ worker: undefined, job: undefined, fault: undefined }))
  const queue: Job[] = []
  let closed = false

  function next(): void {
    // One that runs already is ready sooner than one that must start.
    const idle = lanes.filter(({ job }) => job === undefined).sort((a, b) => Number(!a.worker) - Number(!b.worker))
    for (const lane of idle) {
      const job = queue.shift()
      if (job === undefined) return
      lane.job = job
      lane.worker ??= startLane(lane)
      // The program may end while nothing is drawn, and not before.
      lane.worker.ref()
      send(lane, { type: 'draw', drawing: job.drawing })
    }
  }

  function startLane(lane: Lane): Worker {
    lane.fault = undefined
    return start()
      .on('message', (report: Report) => receive(lane, report))
      .on('error', (error) => {
        lane.fault = error
      })
      .on('exit', () => {
        lane.worker = undefined
        lane.job?.reject(lost('The thread that drew for the stub provider ended. Try again.', lane.fault))
        release(lane)
      })
  }

  function receive(lane: Lane, report: Report): void {
    if (report.type === 'progress') {
      lane.job?.onProgress(report.fraction)
      return
    }
    if (report.type === 'done') lane.job?.resolve(report.files)
    if (report.type === 'refused') lane.job?.reject(refuse(report.message, report.cause))
    release(lane)
  }

  function release(lane: Lane): void {
    lane.job = undefined
    if (closed) return
    lane.worker?.unref()
    next()
  }

  function stop(job: Job): void {
    const place = queue.indexOf(job)
    if (place >= 0) queue.splice(place, 1)
    const lane = lanes.find((one) => one.job === job)
    if (lane !== undefined) send(lane, { type: 'stop' })
  }

  return {
    draw(drawing, signal, onProgress) {
      return new Promise<DrawingFiles>((resolve, reject) => {
        signal.throwIfAborted()
        if (closed) throw closing()
        const onAbort = () => {
          settle()
          reject(signal.reason)
          stop(job)
        }
        const settle = () => signal.removeEventListener('abort', onAbort)
        const job: Job = {
          drawing,
          onProgress: (fraction) => {
            if (!signal.aborted) onProgress(fraction)
          },
          resolve: (files) => {
            settle()
            resolve(files)
          },
          reject: (error) => {
            settle()
            reject(error)
          },
        }
        signal.addEventListener('abort', onAbort)
        queue.push(job)
        next()
      })
    },
    async close() {
      closed = true
      for (const job of queue.splice(0)) job.reject(closing())
      await Promise.all(lanes.map(end))
    },
  }

  async function end(lane: Lane): Promise<void> {
    const { worker, job } = lane
    if (worker === undefined) return
    job?.reject(closing())
    // Ended from outside in the middle of a drawing, libvips would come back to a thread that is no more.
    await new Promise<void>((resolve) => {
      worker.once('exit', () => resolve()).ref()
      send(lane, { type: 'close' })
    })
  }
}

function send({ worker }: Lane, order: Order): void {
  worker?.postMessage(order)
}

function closing(): ProviderError {
  return lost('The stub provider was closed before it had drawn this. Try again.', undefined)
}

function lost(message: string, cause: unknown): ProviderError {
  return new ProviderError('provider_error', message, { wire: 'not_sent', retryable: true, cause })
}

/** What will never be drawn. */
export function refuse(message: string, cause?: unknown): ProviderError {
  return new ProviderError('provider_error', message, { wire: 'refused', retryable: false, cause })
}
