/**
 * Child process: makes one looping WebP of one MP4 that comes from outside. It has no environment, no files and no
 * connections; it is killed when it has answered, or takes too long.
 */
import { killGroup } from './kill-group.js'
import { makeLoop } from './make-loop.js'
import { type LoopRequest, ready } from './protocol.js'

// What systemd ends is still wanted for a moment; the parent ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// Decoders cannot be interrupted: without its parent the process ends in the middle of one, with what it has started.
process.on('disconnect', () => killGroup(process.pid))
process.on('message', (request: LoopRequest) => {
  void makeLoop(request).then((answer) => process.send?.(answer))
})
process.send?.(ready)
