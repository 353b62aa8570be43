import type { Worker } from 'node:worker_threads'
import type {
  DrawingKind,
  DrawingOutput,
  DrawingRequest,
  ThreadCommand,
  ThreadReport,
} from '../../../artist/protocol.js'
import { ProviderError } from '../../../ports/provider.js'
import { untilAborted } from '../../../runtime/abort.js'

/** A pool of drawing threads, so that drawing does not block the server's other requests. */
export interface Pool {
  /**
   * Resolves with the drawing. Throws the reason of `signal` at once when it is aborted; ProviderError for a request
   * that cannot be drawn and, as retryable, if the thread ended or the pool was closed.
   */
  run<K extends DrawingKind>(
    request: Extract<DrawingRequest, { kind: K }>,
    options?: RunOptions,
  ): Promise<DrawingOutput[K]>
  /** Stops all work. Resolves after the threads have ended. */
  close(): Promise<void>
}

/** Cancellation and progress of a drawing. */
export interface RunOptions {
  readonly signal: AbortSignal
  onProgress(fraction: number): void
}

interface PendingDrawing {
  readonly request: DrawingRequest
  onProgress(fraction: number): void
  resolve(output: DrawingOutput[DrawingKind]): void
  reject(error: unknown): void
}

interface Lane {
  /** Starts with the first drawing, and again after one that ended. */
  worker: Worker | undefined
  /** The current drawing, even if its caller has given up. */
  drawing: PendingDrawing | undefined
  error: unknown
}

const defaultOptions: RunOptions = { signal: new AbortController().signal, onProgress: () => undefined }

/** Creates a pool of `threads` threads; `start` starts a thread that uses the messages of `protocol.ts`. */
export function createPool(threads: number, start: () => Worker): Pool {
  const lanes: Lane[] = Array.from({ length: threads }, () => ({
    worker: undefined,
    drawing: undefined,
    error: undefined,
  }))
  const queue: PendingDrawing[] = []
  let closed = false

  function next(): void {
    // A running thread is ready sooner than a new one.
    const idle = lanes
      .filter(({ drawing }) => drawing === undefined)
      .sort((a, b) => Number(!a.worker) - Number(!b.worker))
    for (const lane of idle) {
      const drawing = queue.shift()
      if (drawing === undefined) return
      lane.drawing = drawing
      lane.worker ??= startLane(lane)
      // Only an idle thread lets the program exit.
      lane.worker.ref()
      send(lane, { type: 'draw', request: drawing.request })
    }
  }

  function startLane(lane: Lane): Worker {
    lane.error = undefined
    return start()
      .on('message', (report: ThreadReport) => receive(lane, report))
      .on('error', (error) => {
        lane.error = error
      })
      .on('exit', () => {
        lane.worker = undefined
        lane.drawing?.reject(lost('The thread that drew for the stub provider ended. Try again.', lane.error))
        release(lane)
      })
  }

  function receive(lane: Lane, report: ThreadReport): void {
    if (report.type === 'progress') {
      lane.drawing?.onProgress(report.fraction)
      return
    }
    if (report.type === 'done') lane.drawing?.resolve(report.output)
    if (report.type === 'refused') lane.drawing?.reject(refuse(report.message, report.cause))
    release(lane)
  }

  function release(lane: Lane): void {
    lane.drawing = undefined
    if (closed) return
    lane.worker?.unref()
    next()
  }

  function stop(drawing: PendingDrawing): void {
    const index = queue.indexOf(drawing)
    if (index >= 0) queue.splice(index, 1)
    const lane = lanes.find((one) => one.drawing === drawing)
    if (lane !== undefined) send(lane, { type: 'stop' })
  }

  async function end(lane: Lane): Promise<void> {
    const { worker, drawing } = lane
    if (worker === undefined) return
    drawing?.reject(closing())
    // Terminated while it works, libvips would return into a thread that no longer exists.
    await new Promise<void>((resolve) => {
      worker.once('exit', () => resolve()).ref()
      send(lane, { type: 'close' })
    })
  }

  return {
    async run<K extends DrawingKind>(
      request: Extract<DrawingRequest, { kind: K }>,
      options = defaultOptions,
    ): Promise<DrawingOutput[K]> {
      const { signal } = options
      signal.throwIfAborted()
      if (closed) throw closing()
      let giveUp = () => {}
      const output = new Promise<DrawingOutput[DrawingKind]>((resolve, reject) => {
        const onProgress = (fraction: number) => {
          if (!signal.aborted) options.onProgress(fraction)
        }
        const drawing: PendingDrawing = { request, resolve, reject, onProgress }
        giveUp = () => stop(drawing)
        queue.push(drawing)
        next()
      })
      // The result has the kind of the request.
      return (await untilAborted(output, signal, giveUp)) as DrawingOutput[K]
    },
    async close() {
      closed = true
      for (const drawing of queue.splice(0)) drawing.reject(closing())
      await Promise.all(lanes.map(end))
    },
  }
}

function send({ worker }: Lane, command: ThreadCommand): void {
  worker?.postMessage(command)
}

function closing(): ProviderError {
  return lost('The stub provider was closed before it had drawn this. Try again.', undefined)
}

function lost(message: string, cause: unknown): ProviderError {
  return new ProviderError('provider_error', message, { wire: 'not_sent', retryable: true, cause })
}

/** A request that can never be drawn. */
export function refuse(message: string, cause?: unknown): ProviderError {
  return new ProviderError('provider_error', message, { wire: 'refused', retryable: false, cause })
}
