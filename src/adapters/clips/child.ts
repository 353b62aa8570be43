/**
 * Child process: converts one untrusted MP4 to a looping WebP. It has no environment, no files and no connections,
 * and is killed after its answer or a timeout.
 */
import { killGroup } from './kill-group.js'
import { makeLoop } from './make-loop.js'
import { type LoopRequest, ready } from './protocol.js'

// systemd signals the whole group, but the result is still needed; the parent ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// Decoders cannot be interrupted: if the parent ends, the process kills itself and its decoder.
process.on('disconnect', () => killGroup(process.pid))
process.on('message', (request: LoopRequest) => {
  // If the parent was killed meanwhile, this process ends too.
  void makeLoop(request).then((answer) => process.send?.(answer, () => {}))
})
process.send?.(ready, () => {})
