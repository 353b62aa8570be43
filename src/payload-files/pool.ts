import type { UnknownMembers } from '../insight/index.js'
import { startWorker } from '../runtime/entry.js'
import type { CheckedSegment } from './check-segment.js'
import type { SpareMemory } from './chunks.js'
import type { Segment } from './result.js'
import type { WorkerRequest, WorkerResult } from './worker.js'

export type CheckPool = ReturnType<typeof createPool>

/** The most segments of a thread: one in progress, and some that wait so that the thread never idles. */
const segmentsPerThread = 3

/** Starts threads that check NDJSON. `give` takes the memory of checked segments. */
export function createPool(threads: number, give: SpareMemory['give'], unknown?: UnknownMembers) {
  const lanes = Array.from({ length: threads }, () => createLane(give, unknown))
  const leastBusy = () => lanes.reduce((best, lane) => (lane.waiting() < best.waiting() ? lane : best))
  return {
    /** True if a thread can take one more segment; bounds the segments that wait in memory. */
    hasRoom: () => leastBusy().waiting() < segmentsPerThread,
    check: (segment: Segment) => leastBusy().send(segment),
    close: async () => {
      await Promise.all(lanes.map((lane) => lane.worker.terminate()))
    },
  }
}

function createLane(give: SpareMemory['give'], unknown: UnknownMembers | undefined) {
  const worker = startWorker('payload-files/worker', { workerData: unknown })
  const settlers: { resolve: (checked: CheckedSegment) => void; reject: (error: unknown) => void }[] = []
  worker.on('message', ({ checked, bytes }: WorkerResult) => {
    give(bytes)
    settlers.shift()?.resolve(checked)
  })
  worker.on('error', (error) => {
    for (const { reject } of settlers.splice(0)) reject(error)
  })
  const send = (segment: Segment) => {
    const request: WorkerRequest = { bytes: ownBytes(segment.bytes), start: segment.start }
    const result = new Promise<CheckedSegment>((resolve, reject) => settlers.push({ resolve, reject }))
    // The caller that awaits the result gets the error. Without this handler, a result that is never awaited would end the program.
    result.catch(() => undefined)
    worker.postMessage(request, [request.bytes.buffer as ArrayBuffer])
    return result
  }
  return { worker, waiting: () => settlers.length, send }
}

/** Returns memory that can move to another thread: the bytes if they are most of their buffer, else a copy. */
function ownBytes(bytes: Buffer): Uint8Array {
  const isMostOfIt = bytes.byteLength * 2 > bytes.buffer.byteLength
  return isMostOfIt ? bytes : Uint8Array.prototype.slice.call(bytes)
}
