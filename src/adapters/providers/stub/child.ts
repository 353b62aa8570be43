/**
 * Child process: draws one picture or clip at a time. It rejects requests that cannot be drawn; any other error ends the
 * process.
 */
import { getPriority, setPriority } from 'node:os'
import sharp from 'sharp'
import type { DrawingRequest } from '../../../artist/protocol.js'
import { runDrawing, Undrawable } from '../../../artist/run-drawing.js'
import { createIdleEnd } from '../../../runtime/idle-end.js'
import type { DrawingCommand, DrawingReport } from './protocol.js'

// Calls, and the photos that they bring, come first. Only root may lower the number of a process that was started with `nice`.
setPriority(Math.max(getPriority(), 10))
// One drawing keeps one core busy: more threads inside libvips only compete with each other.
sharp.concurrency(1)
sharp.cache(false)

const idle = createIdleEnd()
let current: AbortController | undefined

// A terminal and systemd signal the whole group, but the current drawing is still needed; the parent ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// The encoder cannot be interrupted: if the parent ends, the process kills itself.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (command: DrawingCommand) => {
  // An error ends the process as an unhandled rejection.
  if (command.type === 'draw') void answer(command.request)
  else current?.abort()
})
idle.rest()

async function answer(request: DrawingRequest): Promise<void> {
  idle.begin()
  current = new AbortController()
  const report = await runUntil(current.signal, request)
  current = undefined
  idle.rest()
  send(report)
}

async function runUntil(signal: AbortSignal, request: DrawingRequest): Promise<DrawingReport> {
  try {
    return {
      type: 'done',
      output: await runDrawing(request, signal, (fraction) => send({ type: 'progress', fraction })),
    }
  } catch (error) {
    if (signal.aborted) return { type: 'stopped' }
    if (error instanceof Undrawable) return { type: 'refused', message: error.message, cause: error.cause }
    throw error
  }
}

/** If the parent was killed, this process ends soon. */
function send(report: DrawingReport): void {
  process.send?.(report, () => {})
}
