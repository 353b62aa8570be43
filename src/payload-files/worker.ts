/** The entry file of a thread that checks segments: one message out for each message in, in the same order. */
import { parentPort, workerData } from 'node:worker_threads'
import type { UnknownMembers } from '../insight/index.js'
import type { Location } from '../text/json-location.js'
import { type CheckedSegment, createCheckSegment } from './check-segment.js'

/** Whole lines of NDJSON; the memory of `bytes` moves to the thread. */
export interface WorkerRequest {
  readonly bytes: Uint8Array
  readonly start: Location
}

/** The result, and the memory of the request, which moves back. */
export interface WorkerResult {
  readonly checked: CheckedSegment
  readonly bytes: Uint8Array
}

const checkSegment = createCheckSegment(undefined, workerData as UnknownMembers | undefined)

/** Keeps the results in the order of the requests, although a broken payload makes the check of its segment wait. */
let last: Promise<void> = Promise.resolve()

parentPort?.on('message', (request: WorkerRequest) => {
  last = last.then(() => answer(request))
})

async function answer({ bytes, start }: WorkerRequest): Promise<void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const checked = await checkSegment({ bytes: buffer, lines: true, start })
  const result: WorkerResult = { checked, bytes }
  parentPort?.postMessage(result, [bytes.buffer as ArrayBuffer])
}
