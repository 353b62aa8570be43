/** A thread that draws: one job at a time. What cannot be drawn is refused; any other fault ends the thread; the pool starts another. */
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import { draw, Undrawable } from './drawing.js'
import type { Drawing, Order, Report } from './order.js'

// One job keeps one core busy: more threads inside libvips only get into each other's way.
sharp.concurrency(1)
sharp.cache(false)

let work: AbortController | undefined
let closing = false

parentPort?.on('message', (order: Order) => {
  if (order.type === 'draw') {
    // What it throws ends the thread as an unhandled rejection.
    void perform(order.drawing)
    return
  }
  work?.abort()
  if (order.type === 'close') {
    closing = true
    if (work === undefined) parentPort?.close()
  }
})

async function perform(drawing: Drawing): Promise<void> {
  work = new AbortController()
  report(await drawUntil(work.signal, drawing))
  work = undefined
  if (closing) parentPort?.close()
}

async function drawUntil(signal: AbortSignal, drawing: Drawing): Promise<Report> {
  try {
    const files = await draw(drawing, signal, (fraction) => report({ type: 'progress', fraction }))
    return { type: 'done', files }
  } catch (error) {
    if (signal.aborted) return { type: 'stopped' }
    if (error instanceof Undrawable) return { type: 'refused', message: error.message, cause: error.cause }
    throw error
  }
}

function report(message: Report): void {
  const files = message.type === 'done' ? Object.values(message.files) : []
  // The memory of the files moves to the main thread; nothing is copied.
  parentPort?.postMessage(
    message,
    files.map((bytes) => bytes.buffer as ArrayBuffer),
  )
}
