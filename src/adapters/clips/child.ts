/**
 * Child process: converts one untrusted MP4 to a looping WebP. It has no environment, no files and no connections,
 * and is killed after its response or a timeout.
 */
import { serveJobs } from '../../runtime/serve-jobs.js'
import { KilledDecoder } from './frame.js'
import { type LoopRequest, makeLoop } from './make-loop.js'

serveJobs(async (request: LoopRequest) => {
  try {
    return await makeLoop(request)
  } catch (error) {
    // The clip gets another process, as if this one had been killed.
    if (error instanceof KilledDecoder) process.kill(process.pid, 'SIGKILL')
    throw error
  }
})
