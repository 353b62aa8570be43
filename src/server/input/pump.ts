import type { IncomingMessage, ServerResponse } from 'node:http'
import { SvcError } from '../../errors.js'
import { formatSize } from '../../size.js'
import { type BodySource, CallerGone, readInside } from '../body.js'

/** What takes a body piece by piece; while its promise is pending no more is read. May throw, which ends the reading. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined

/**
 * Hands a body over as it comes. Throws `payload_too_large` as soon as more than `bytesAtMost` are announced or have come,
 * and `CallerGone`. What is left of a body that is not read to its end is dropped.
 */
export async function pumpBody(source: BodySource, bytesAtMost: number, takeChunk: TakeChunk): Promise<void> {
  if (Number(source.headers.get('content-length') ?? 0) > bytesAtMost) throw tooLarge(bytesAtMost)
  let bytes = 0
  const take: TakeChunk = (chunk) => {
    bytes += chunk.length
    if (bytes > bytesAtMost) throw tooLarge(bytesAtMost)
    return takeChunk(chunk)
  }
  const node = source.runtime?.node
  // @NOTE merely looking at `source.body` makes a web stream of Node's request, which then cannot be read otherwise.
  if (node !== undefined) {
    // The server speaks HTTP/1.1 alone, though the types allow for HTTP/2.
    const [request, response] = [node.req as IncomingMessage, node.res as ServerResponse]
    if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue()
    return pumpRequest(request, take)
  }
  for await (const chunk of readInside(source.body)) {
    await take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  }
}

/** Reads Node's request by its events: its iterator and its web stream destroy the socket when they are left early. */
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
