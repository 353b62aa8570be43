/** A thread that checks segments: one message in, one message out, in the order they came. */
import { parentPort } from 'node:worker_threads'
import type { Location } from '../input/location.js'
import { type Checked, checkSegment } from './check.js'
import { createSweep } from './sweep.js'
import { settleTransfers } from './tuning.js'

/** Whole lines of NDJSON; the memory of `bytes` moves to the thread. */
export interface WorkerRequest {
  readonly bytes: Uint8Array
  readonly start: Location
}

/** What came out, and the memory of the request, which moves back. */
export interface WorkerAnswer {
  readonly checked: Checked
  readonly bytes: Uint8Array
}

/** The answers go out in the order of the requests, although a broken payload makes the check of its segment wait. */
let last: Promise<void> = Promise.resolve()
const sweep = createSweep()
settleTransfers()

parentPort?.on('message', (request: WorkerRequest) => {
  last = last.then(() => answer(request))
})

async function answer({ bytes, start }: WorkerRequest): Promise<void> {
  const { length } = bytes
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const checked = await checkSegment({ bytes: buffer, lines: true, start })
  const result: WorkerAnswer = { checked, bytes }
  parentPort?.postMessage(result, [bytes.buffer as ArrayBuffer])
  sweep(length)
}
