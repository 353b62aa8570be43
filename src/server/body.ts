import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonText } from '../contract/route.js'
import { SvcError } from '../errors.js'
import type { RuleHit } from '../log.js'
import { formatSize } from '../size.js'
import { mayLeaveBody } from './connections.js'
import { createPieces } from './pieces.js'

/** @NOTE contract: the size limit is not shown; the largest payload, a month, is 10 to 20 KB. */
export const bodyBytesAtMost = 1 << 20

/** The caller went away before the body was whole: there is nobody to answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
}

/**
 * What a call breaks, for the log. The caller gets one fixed sentence, unless the route may say more.
 * Source: health detail contract, 7.
 */
export class InvalidBody extends SvcError {
  readonly violations: readonly RuleHit[]

  constructor(violations: readonly RuleHit[], message = 'The request is not valid.') {
    super('invalid_request', message)
    this.violations = violations
  }
}

/** The parts of a request that a body is read from: a web request, and the Node request under it, if there is one. */
export interface BodySource {
  readonly headers: Pick<Headers, 'get'>
  readonly body: ReadableStream<Uint8Array> | null
  readonly runtime?: { readonly node?: { readonly req: unknown; readonly res?: unknown } }
}

/** Reads a JSON body. Throws what `readJsonText` throws, and `InvalidBody` for what is not JSON. */
export async function readJson(request: BodySource): Promise<unknown> {
  return (await readJsonText(request)).parse()
}

/**
 * Reads a body that may be JSON. Throws `payload_too_large` as soon as more than `bodyBytesAtMost` are announced or have
 * come, and `InvalidBody` for another type and for everything that is not UTF-8.
 * @NOTE contract: a wrong content type and broken JSON are not shown; 422 is the only answer it has for bad input.
 */
export async function readJsonText(request: BodySource): Promise<JsonText> {
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytesAtMost) throw tooLarge()
  const bytes = await readBytes(request)
  // Behind the size, which counts whatever the body is.
  if (!isJsonType(request.headers.get('content-type'))) throw invalid('content-type')
  if (!isUtf8(bytes)) throw unreadable(request)
  return { bytes, parse: () => parse(request, bytes) }
}

function parse(request: BodySource, bytes: Buffer): unknown {
  const text = bytes.toString()
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text)
  } catch {
    // The parser's message quotes the body, which must not reach the log.
    throw unreadable(request)
  }
}

/** No part of the JSON, which parsers may pass over. Source: RFC 8259, 8.1. */
const byteOrderMark = '\ufeff'

/** A type that is left out counts as JSON. */
export function isJsonType(type: string | null): boolean {
  return type === null || /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(type)
}

/** Whether a body is said to be compressed, which none may be. */
export function isCompressed(headers: BodySource['headers']): boolean {
  return !/^(identity)?$/i.test(headers.get('content-encoding') ?? '')
}

function unreadable({ headers }: BodySource): InvalidBody {
  return invalid(isCompressed(headers) ? 'content-encoding' : 'payload-json')
}

function readBytes(source: BodySource): Buffer | Promise<Buffer> {
  const node = source.runtime?.node
  // @NOTE merely looking at `source.body` makes a web stream of Node's request, which then cannot be read otherwise.
  if (node === undefined) return readStream(source.body)
  // The server speaks HTTP/1.1 alone, though the types allow for HTTP/2.
  const [request, response] = [node.req as IncomingMessage, node.res as ServerResponse]
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue()
  return readNodeRequest(request)
}

/** Reads from Node's request itself: its web stream costs more than all the rest, and destroys the socket when left early. */
function readNodeRequest(request: IncomingMessage): Buffer | Promise<Buffer> {
  if (request.destroyed) throw new CallerGone()
  // Most bodies have come with their head: to take one that is whole costs less than to listen for its pieces. Of one that
  // the connection hangs on, the end is waited for.
  return request.complete && !mayLeaveBody(request) ? (request.read() ?? noBytes) : readPieces(request)
}

const noBytes = Buffer.alloc(0)

function readPieces(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces = createPieces()
    let bytes = 0
    const settle = (end: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose)
      end()
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bodyBytesAtMost) settle(() => reject(tooLarge()))
      else pieces.add(chunk)
    }
    const onEnd = () => settle(() => resolve(pieces.join()))
    const onClose = () => settle(() => reject(new CallerGone()))
    request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose)
  })
}

/**
 * The body of a call inside of this process, which is in memory. It is not cancelled when it is left early: Node 24 would go on
 * filling the stream of a form, and throw where nobody catches it.
 */
export function readInside(
  stream: ReadableStream<Uint8Array> | null,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return stream?.values({ preventCancel: true }) ?? []
}

async function readStream(stream: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of readInside(stream)) {
    bytes += chunk.length
    if (bytes > bodyBytesAtMost) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** What makes a whole body unreadable. */
export type BodyFault = 'content-type' | 'content-encoding' | 'payload-json'

export function invalid(rule: BodyFault): InvalidBody {
  return new InvalidBody([{ rule, path: '' }])
}

function tooLarge(): SvcError {
  return new SvcError('payload_too_large', `The body is larger than ${formatSize(bodyBytesAtMost)}.`)
}
