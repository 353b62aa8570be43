/**
 * A drawing thread: it draws one picture or clip at a time. It rejects requests that cannot be drawn; any other error
 * ends the thread.
 */
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import type {
  DrawingKind,
  DrawingOutput,
  DrawingRequest,
  ThreadCommand,
  ThreadReport,
} from '../../../artist/protocol.js'
import { runDrawing, Undrawable } from '../../../artist/run-drawing.js'

// One drawing keeps one core busy: more threads inside libvips only compete with each other.
sharp.concurrency(1)
sharp.cache(false)

let current: AbortController | undefined
let closing = false

parentPort?.on('message', (command: ThreadCommand) => {
  if (command.type === 'draw') {
    // An error ends the thread as an unhandled rejection.
    void answer(command.request)
    return
  }
  current?.abort()
  if (command.type === 'close') {
    closing = true
    if (current === undefined) parentPort?.close()
  }
})

async function answer(request: DrawingRequest): Promise<void> {
  current = new AbortController()
  report(await runUntil(current.signal, request))
  current = undefined
  if (closing) parentPort?.close()
}

async function runUntil(signal: AbortSignal, request: DrawingRequest): Promise<ThreadReport> {
  try {
    return {
      type: 'done',
      output: await runDrawing(request, signal, (fraction) => report({ type: 'progress', fraction })),
    }
  } catch (error) {
    if (signal.aborted) return { type: 'stopped' }
    if (error instanceof Undrawable) return { type: 'refused', message: error.message, cause: error.cause }
    throw error
  }
}

/** Transfers the memory of files to the main thread instead of copying it. */
function report(message: ThreadReport): void {
  const files = message.type === 'done' ? filesOf(message.output) : []
  parentPort?.postMessage(
    message,
    files.map((bytes) => bytes.buffer as ArrayBuffer),
  )
}

function filesOf(output: DrawingOutput[DrawingKind]): readonly Uint8Array[] {
  if (output instanceof Uint8Array) return [output]
  return 'mp4' in output ? [output.mp4, output.webp] : []
}
