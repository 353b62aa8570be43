import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../entry.js'
import type { SpareMemory } from '../input/chunks.js'
import type { Segment } from '../input/segments.js'
import type { Checked } from './check.js'
import type { WorkerAnswer, WorkerRequest } from './worker.js'

/** Threads that check NDJSON. */
export interface Pool {
  /** Whether a thread can take one more segment: what waits in memory stays bounded. */
  readonly hasRoom: () => boolean
  readonly check: (segment: Segment) => Promise<Checked>
  readonly close: () => Promise<void>
}

/** Segments that a thread holds at once: one to work on, and some that are ready when it is done. */
const segmentsPerThread = 3

/** Starts the threads; `give` takes the memory of segments that were checked. */
export function createPool(threads: number, give: SpareMemory['give']): Pool {
  const lanes = Array.from({ length: threads }, () => createLane(give))
  const leastBusy = () => lanes.reduce((best, lane) => (lane.waiting() < best.waiting() ? lane : best))
  return {
    hasRoom: () => leastBusy().waiting() < segmentsPerThread,
    check: (segment) => leastBusy().send(segment),
    close: async () => {
      await Promise.all(lanes.map((lane) => lane.worker.terminate()))
    },
  }
}

interface Lane {
  readonly worker: Worker
  readonly waiting: () => number
  readonly send: (segment: Segment) => Promise<Checked>
}

function createLane(give: SpareMemory['give']): Lane {
  const worker = startWorker('commands/validate/worker')
  const settlers: { resolve: (checked: Checked) => void; reject: (error: unknown) => void }[] = []
  worker.on('message', ({ checked, bytes }: WorkerAnswer) => {
    give(bytes)
    settlers.shift()?.resolve(checked)
  })
  worker.on('error', (error) => {
    for (const { reject } of settlers.splice(0)) reject(error)
  })
  const send = (segment: Segment) => {
    const request: WorkerRequest = { bytes: ownBytes(segment.bytes), start: segment.start }
    const answer = new Promise<Checked>((resolve, reject) => settlers.push({ resolve, reject }))
    // A failure is met by whoever awaits the answer; without this one that nobody awaits any more ends the program.
    answer.catch(() => undefined)
    worker.postMessage(request, [request.bytes.buffer as ArrayBuffer])
    return answer
  }
  return { worker, waiting: () => settlers.length, send }
}

/** Memory that can move to another thread: all of what was allocated for it, or else a copy. */
function ownBytes(bytes: Buffer): Uint8Array {
  const isMostOfIt = bytes.byteLength * 2 > bytes.buffer.byteLength
  return isMostOfIt ? bytes : Uint8Array.prototype.slice.call(bytes)
}
