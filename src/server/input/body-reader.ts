import type { IncomingMessage, ServerResponse } from 'node:http'
import { SvcError } from '../../errors.js'
import { formatSize } from '../../text/words.js'
import { mayLeaveBody } from '../node/connections.js'

/** The caller closed the connection before the body was complete: a response would have no reader. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
}

/** True if `error` is a CallerGone. Compares the name, because each bundle holds its own copy of the class. */
export const isCallerGone = (error: unknown): boolean => error instanceof Error && error.name === 'CallerGone'

/** The parts of a request that a body is read from: a web request and, on a socket, the Node request under it. */
export interface BodySource {
  readonly headers: Pick<Headers, 'get'>
  readonly body: ReadableStream<Uint8Array> | null
  readonly runtime?: { readonly node?: { readonly req: unknown; readonly res?: unknown } }
}

/** Receives a body chunk by chunk. No more is read while its promise is pending. An error that it throws ends the reading. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined

/** Reads a whole body into memory; throws as `readChunks` does. */
export function readBytes(source: BodySource, bytesAtMost: number): Buffer | Promise<Buffer> {
  const request = openRequest(source, bytesAtMost)
  // Most bodies arrive with their head: taking a complete one costs less than listening for its chunks. If the connection
  // depends on the body being read, its end is awaited.
  if (request?.complete === true && !request.destroyed && !mayLeaveBody(request))
    return request.read() ?? Buffer.alloc(0)
  return collect(source, request, bytesAtMost)
}

/**
 * Passes a body on as it arrives. Throws `payload_too_large` as soon as more than `bytesAtMost` are announced or received,
 * and `CallerGone`. The rest of a body that is not read to its end is discarded.
 */
export async function readChunks(source: BodySource, bytesAtMost: number, takeChunk: TakeChunk): Promise<void> {
  return pump(source, openRequest(source, bytesAtMost), bytesAtMost, takeChunk)
}

/** Checks the announced size and returns Node's request, if there is one, ready to be read. */
function openRequest({ headers, runtime }: BodySource, bytesAtMost: number): IncomingMessage | undefined {
  if (Number(headers.get('content-length') ?? 0) > bytesAtMost) throw tooLarge(bytesAtMost)
  if (runtime?.node === undefined) return undefined
  // The server speaks HTTP/1.1 only, though the types allow HTTP/2.
  const [request, response] = [runtime.node.req as IncomingMessage, runtime.node.res as ServerResponse]
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue()
  return request
}

async function collect(source: BodySource, request: IncomingMessage | undefined, bytesAtMost: number): Promise<Buffer> {
  const pieces = createPieces()
  await pump(source, request, bytesAtMost, (chunk) => void pieces.add(chunk))
  return pieces.join()
}

async function pump(
  source: BodySource,
  request: IncomingMessage | undefined,
  bytesAtMost: number,
  takeChunk: TakeChunk,
): Promise<void> {
  let bytes = 0
  const take: TakeChunk = (chunk) => {
    bytes += chunk.length
    if (bytes > bytesAtMost) throw tooLarge(bytesAtMost)
    return takeChunk(chunk)
  }
  // @NOTE merely accessing `source.body` turns Node's request into a web stream, which then cannot be read otherwise.
  if (request !== undefined) return pumpRequest(request, take)
  // The body of a call inside this process is in memory. It is not canceled on an early exit: Node 24 would keep filling
  // the stream of a form, and throw where nothing catches it.
  for await (const chunk of source.body?.values({ preventCancel: true }) ?? []) {
    await take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  }
}

/**
 * Reads Node's request by its events: its iterator and its web stream destroy the socket on an early exit, and the stream
 * costs more than the rest of a call.
 */
function pumpRequest(request: IncomingMessage, take: TakeChunk): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose)
      request.resume()
      end()
    }
    const fail = (error: unknown) => settle(() => reject(error))
    const onData = (chunk: Buffer) => {
      try {
        const taken = take(chunk)
        if (taken === undefined) return
        request.pause()
        taken.then(() => request.resume(), fail)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = () => settle(resolve)
    const onClose = () => fail(new CallerGone())
    if (request.destroyed) return reject(new CallerGone())
    request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose)
  })
}

function tooLarge(bytesAtMost: number): SvcError {
  return new SvcError('payload_too_large', `The body is larger than ${formatSize(bytesAtMost)}.`)
}

/** Each buffer costs about 300 bytes of overhead, and a caller may send chunks of one byte. */
const looseAtMost = 4096

/** Collects chunks into one buffer. Joins them from time to time, so that many small ones take little more memory than their bytes. */
export function createPieces() {
  let joined: Buffer[] = []
  let loose: Buffer[] = []
  return {
    add(piece: Buffer): void {
      loose.push(piece)
      if (loose.length < looseAtMost) return
      joined.push(Buffer.concat(loose))
      loose = []
    },
    /** Returns all chunks as one buffer and forgets them. */
    join(): Buffer {
      const all = [...joined, ...loose]
      joined = []
      loose = []
      return Buffer.concat(all)
    },
  }
}
