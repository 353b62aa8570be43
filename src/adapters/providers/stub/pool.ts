import type { ChildProcess } from 'node:child_process'
import type { DrawingKind, DrawingOutput, DrawingRequest } from '../../../artist/protocol.js'
import { ProviderError } from '../../../ports/provider.js'
import { untilAborted } from '../../../runtime/abort.js'
import type { DrawingCommand, DrawingReport } from './protocol.js'

/**
 * A pool of drawing processes. Drawing does not block the server's other requests, and its memory is not the server's:
 * glibc would keep up to a gigabyte of it in the arenas of threads.
 */
export interface DrawingPool {
  /**
   * Resolves with the drawing. Throws the reason of `signal` at once when it is aborted; ProviderError for a request
   * that cannot be drawn and, as retryable, if the process ended or the pool was closed.
   */
  run<K extends DrawingKind>(
    request: Extract<DrawingRequest, { kind: K }>,
    options?: RunOptions,
  ): Promise<DrawingOutput[K]>
  /** Stops all work. Resolves after the processes have ended. */
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

interface DrawingLane {
  /** Starts with the first drawing, and again after one that ended. */
  child: Promise<ChildProcess> | undefined
  /** The current drawing, even if its caller has given up. */
  drawing: PendingDrawing | undefined
}

const defaultOptions: RunOptions = { signal: new AbortController().signal, onProgress: () => undefined }

/** Creates a pool of `size` processes; `start` starts a process that uses the messages of `protocol.ts`. */
export function createPool(size: number, start: () => Promise<ChildProcess>): DrawingPool {
  const lanes: DrawingLane[] = Array.from({ length: size }, () => ({ child: undefined, drawing: undefined }))
  const queue: PendingDrawing[] = []
  let closed = false

  function next(): void {
    // A running process is ready sooner than a new one.
    const idle = lanes
      .filter(({ drawing }) => drawing === undefined)
      .sort((a, b) => Number(!a.child) - Number(!b.child))
    for (const lane of idle) {
      // A caller may wait for a picture, which takes a tenth of the time of a clip.
      const picture = queue.findIndex(({ request }) => request.kind !== 'clip')
      const [drawing] = queue.splice(Math.max(0, picture), 1)
      if (drawing === undefined) return
      lane.drawing = drawing
      void draw(lane, drawing)
    }
  }

  async function draw(lane: DrawingLane, drawing: PendingDrawing): Promise<void> {
    lane.child ??= startLane(lane)
    try {
      const child = await lane.child
      hold(child, true)
      send(child, { type: 'draw', request: drawing.request })
    } catch (error) {
      end(lane, error)
    }
  }

  async function startLane(lane: DrawingLane): Promise<ChildProcess> {
    const child = await start()
    // A broken channel emits an error here, too; the exit event reports the rest.
    child.on('error', () => {})
    if (child.pid === undefined) throw new Error('It could not be started.')
    child.on('message', (report: DrawingReport) => receive(lane, child, report))
    child.once('exit', (code, signal) => end(lane, new Error(`It exited (${signal ?? `code ${code}`}).`)))
    return child
  }

  function end(lane: DrawingLane, cause: unknown): void {
    lane.child = undefined
    lane.drawing?.reject(lost('The process that drew for the stub provider ended. Try again.', cause))
    release(lane)
  }

  function receive(lane: DrawingLane, child: ChildProcess, report: DrawingReport): void {
    if (report.type === 'progress') {
      lane.drawing?.onProgress(report.fraction)
      return
    }
    if (report.type === 'done') lane.drawing?.resolve(report.output)
    if (report.type === 'refused') lane.drawing?.reject(refuse(report.message, report.cause))
    hold(child, false)
    release(lane)
  }

  function release(lane: DrawingLane): void {
    lane.drawing = undefined
    if (!closed) next()
  }

  async function stop(drawing: PendingDrawing): Promise<void> {
    const index = queue.indexOf(drawing)
    if (index >= 0) queue.splice(index, 1)
    const lane = lanes.find((one) => one.drawing === drawing)
    const child = await lane?.child?.catch(() => undefined)
    // It may have another drawing by now.
    if (child !== undefined && lane?.drawing === drawing) send(child, { type: 'stop' })
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
        giveUp = () => void stop(drawing)
        queue.push(drawing)
        next()
      })
      // The result has the kind of the request.
      return (await untilAborted(output, signal, giveUp)) as DrawingOutput[K]
    },
    async close() {
      closed = true
      for (const drawing of queue.splice(0)) drawing.reject(closing())
      for (const { drawing } of lanes) drawing?.reject(closing())
      await Promise.all(lanes.map(killChild))
    },
  }
}

/** Only a drawing process keeps the program running. */
function hold(child: ChildProcess, isBusy: boolean): void {
  const method = isBusy ? 'ref' : 'unref'
  child[method]()
  child.channel?.[method]()
}

function send(child: ChildProcess, command: DrawingCommand): void {
  // If the message cannot be sent, the process exits.
  child.send(command, () => {})
}

async function killChild({ child: starting }: DrawingLane): Promise<void> {
  const child = await starting?.catch(() => undefined)
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
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
