import type { Worker } from 'node:worker_threads'
import { untilAborted } from '../../../abort.js'
import { ProviderError } from '../../../ports/provider.js'
import type { Kind, Made, Order, Report, Work } from './order.js'

/** Threads that draw, so that nobody waits who asks the server for something else. */
export interface Pool {
  /**
   * Resolves with what was made. Throws the reason of `signal` at once when it is aborted; ProviderError for what
   * cannot be drawn and, as what may be tried again, for a thread that ended and a pool that closed.
   */
  run<K extends Kind>(work: Extract<Work, { kind: K }>, attention?: Attention): Promise<Made[K]>
  /** Stops all work. Resolves when the threads have ended. */
  close(): Promise<void>
}

/** How closely the caller follows its work. */
export interface Attention {
  readonly signal: AbortSignal
  onProgress(fraction: number): void
}

interface Job {
  readonly work: Work
  onProgress(fraction: number): void
  resolve(made: Made[Kind]): void
  reject(error: unknown): void
}

interface Lane {
  /** Starts with its first job, and again after one that ended. */
  worker: Worker | undefined
  /** What the thread is busy with, even when nobody waits for it any more. */
  job: Job | undefined
  fault: unknown
}

const unattended: Attention = { signal: new AbortController().signal, onProgress: () => undefined }

/** A pool of `threads` lanes; `start` starts one thread that keeps to the messages of `order.ts`. */
export function createPool(threads: number, start: () => Worker): Pool {
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
      // The program may end while there is no work, and not before.
      lane.worker.ref()
      send(lane, { type: 'work', work: job.work })
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
    if (report.type === 'done') lane.job?.resolve(report.made)
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

  async function end(lane: Lane): Promise<void> {
    const { worker, job } = lane
    if (worker === undefined) return
    job?.reject(closing())
    // Ended from outside in the middle of its work, libvips would come back to a thread that is no more.
    await new Promise<void>((resolve) => {
      worker.once('exit', () => resolve()).ref()
      send(lane, { type: 'close' })
    })
  }

  return {
    async run<K extends Kind>(work: Extract<Work, { kind: K }>, attention = unattended): Promise<Made[K]> {
      const { signal } = attention
      signal.throwIfAborted()
      if (closed) throw closing()
      let giveUp = () => {}
      const made = new Promise<Made[Kind]>((resolve, reject) => {
        const onProgress = (fraction: number) => {
          if (!signal.aborted) attention.onProgress(fraction)
        }
        const job: Job = { work, resolve, reject, onProgress }
        giveUp = () => stop(job)
        queue.push(job)
        next()
      })
      // A thread makes what it is asked for.
      return (await untilAborted(made, signal, giveUp)) as Made[K]
    },
    async close() {
      closed = true
      for (const job of queue.splice(0)) job.reject(closing())
      await Promise.all(lanes.map(end))
    },
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
