/**
 * Child process: decodes untrusted photos, and nothing else. It has no environment, no files and no connections, and
 * can be killed and restarted at any time.
 */
import { createIdleEnd } from '../../runtime/idle-end.js'
import { decodePhoto } from './decode.js'
import { type LimitedRequest, ready } from './protocol.js'

const lookEveryMs = 50

// A terminal and systemd signal the whole group, but the current photo is still needed; the parent ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// Decoders cannot be interrupted: if the parent ends, the process kills itself.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
const idle = createIdleEnd()
process.on('message', async (request: LimitedRequest) => {
  idle.begin()
  const stopCounting = limitProcessorTime(request.cpuMsAtMost)
  const answer = await decodePhoto(request)
  stopCounting()
  // If the parent was killed meanwhile, this process ends too.
  process.send?.(answer, () => {})
  idle.rest()
})
process.send?.(ready, () => {})
idle.rest()

/**
 * Ends this process if a photo takes more processor time than this, as the system does at the limit of the process. The
 * parent's deadline says nothing about the photo: on a busy machine, every photo takes long.
 */
function limitProcessorTime(ms: number): () => void {
  const before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    // An exit would wait for the decoder.
    if (user + system > ms * 1000) process.kill(process.pid, 'SIGXCPU')
  }, lookEveryMs)
  return () => clearInterval(timer)
}
