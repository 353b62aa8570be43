/** A thread that checks segments: one message in, one message out, in the order they came. */
import { parentPort } from 'node:worker_threads'
import type { Location } from '../input/location.js'
import { checkSegment } from './check.js'

/** Whole lines of NDJSON; the memory of `bytes` moves to the thread. */
export interface WorkerRequest {
  readonly bytes: Uint8Array
  readonly start: Location
}

/** The answers go out in the order of the requests, although a broken payload makes the check of its segment wait. */
let last: Promise<void> = Promise.resolve()

parentPort?.on('message', (request: WorkerRequest) => {
  last = last.then(() => answer(request))
})

async function answer({ bytes, start }: WorkerRequest): Promise<void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  parentPort?.postMessage(await checkSegment({ bytes: buffer, lines: true, start }))
}
