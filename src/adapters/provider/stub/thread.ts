/** A thread that draws: one thing at a time. What cannot be drawn is refused; any other fault ends the thread. */
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import type { Kind, Made, Order, Report, Work } from './order.js'
import { perform, Undrawable } from './perform.js'

// One piece of work keeps one core busy: more threads inside libvips only get into each other's way.
sharp.concurrency(1)
sharp.cache(false)

let current: AbortController | undefined
let closing = false

parentPort?.on('message', (order: Order) => {
  if (order.type === 'work') {
    // What it throws ends the thread as an unhandled rejection.
    void answer(order.work)
    return
  }
  current?.abort()
  if (order.type === 'close') {
    closing = true
    if (current === undefined) parentPort?.close()
  }
})

async function answer(work: Work): Promise<void> {
  current = new AbortController()
  report(await performUntil(current.signal, work))
  current = undefined
  if (closing) parentPort?.close()
}

async function performUntil(signal: AbortSignal, work: Work): Promise<Report> {
  try {
    return { type: 'done', made: await perform(work, signal, (fraction) => report({ type: 'progress', fraction })) }
  } catch (error) {
    if (signal.aborted) return { type: 'stopped' }
    if (error instanceof Undrawable) return { type: 'refused', message: error.message, cause: error.cause }
    throw error
  }
}

/** The memory of files moves to the main thread; nothing is copied. */
function report(message: Report): void {
  const files = message.type === 'done' ? filesOf(message.made) : []
  parentPort?.postMessage(
    message,
    files.map((bytes) => bytes.buffer as ArrayBuffer),
  )
}

function filesOf(made: Made[Kind]): readonly Uint8Array[] {
  if (made instanceof Uint8Array) return [made]
  return 'mp4' in made ? [made.mp4, made.webp] : []
}
