/** A thread that checks segments: one message in, one message out, in the order they came. */
import { parentPort } from 'node:worker_threads'
import type { Location } from '../input/location.js'
import { checkSegment } from './check.js'

/** Whole lines of NDJSON; the memory of `bytes` moves to the thread. */
export interface WorkerRequest {
  readonly bytes: Uint8Array
  readonly start: Location
}

parentPort?.on('message', async ({ bytes, start }: WorkerRequest) => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  parentPort?.postMessage(await checkSegment({ bytes: buffer, lines: true, start }))
})
