/**
 * Child process: decodes photos that come from outside, and nothing else. It has no environment, no files and no
 * connections; whatever a photo does to it, it can be killed and started anew.
 */
import { decodePhoto } from './decode.js'
import { type ReadRequest, ready } from './protocol.js'

// A terminal and systemd signal the whole group; what is being read is still wanted, and the parent ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// Decoders cannot be interrupted: without its parent the process ends in the middle of one.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (request: ReadRequest) => {
  void decodePhoto(request).then((answer) => process.send?.(answer))
})
process.send?.(ready)
