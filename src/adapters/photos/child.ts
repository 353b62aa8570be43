/**
 * Child process: decodes untrusted photos, and nothing else. It has no environment, no files and no connections, and
 * can be killed and restarted at any time.
 */
import { createIdleEnd } from '../../runtime/idle-end.js'
import { decodePhoto } from './decode.js'
import { type ReadRequest, ready } from './protocol.js'

// A terminal and systemd signal the whole group, but the current photo is still needed; the parent ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// Decoders cannot be interrupted: if the parent ends, the process kills itself.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
const idle = createIdleEnd()
process.on('message', async (request: ReadRequest) => {
  idle.begin()
  // If the parent was killed meanwhile, this process ends too.
  process.send?.(await decodePhoto(request), () => {})
  idle.rest()
})
process.send?.(ready)
idle.rest()
