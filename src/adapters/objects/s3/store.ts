import { createHash } from 'node:crypto'
import { SvcError } from '../../../errors.js'
import type { ByteRange, ObjectHost, ObjectStore, OpenObject, UrlSignatures } from '../../../ports/objects.js'
import { digestInTurns, joinInTurns } from '../../../runtime/turns.js'
import { contentTypeOf, isObjectKey } from '../key.js'
import type { S3Address } from './address.js'
import { createS3Client, findStatus, isMissing, type S3Client, type S3Credentials, s3Limits } from './client.js'

export interface S3ObjectStore extends ObjectStore {
  readonly host: ObjectHost
  /** Ends all requests. */
  close(): Promise<void>
}

const cannotRead = 'The file cannot be read right now.'
const keysPerPage = 1000
/** Times that a broken stream is continued. */
const continuationsAtMost = 3

/**
 * Stores objects in an S3-compatible bucket. Makes three attempts if the store fails, does not answer or answers 429;
 * a refusal throws `unavailable` at once, with the store's status and code as the cause.
 */
export function openS3Objects(
  address: S3Address,
  credentials: S3Credentials,
  signatures: UrlSignatures,
  limits = s3Limits,
): S3ObjectStore {
  const client = createS3Client(address, credentials, limits)
  const { s3, retry } = client
  const session: Record<string, string> =
    credentials.sessionToken === undefined ? {} : { 'X-Amz-Security-Token': credentials.sessionToken }

  return {
    async put(key, bytes) {
      if (!isObjectKey(key)) throw new SvcError('invalid_request', 'This is not an object key.')
      const headers = { 'content-md5': (await digestInTurns(createHash('md5'), bytes)).digest('base64') }
      try {
        await retry(async () => {
          const response = await s3.putObject(key, bytes, contentTypeOf(key), undefined, headers)
          await response.arrayBuffer()
        })
      } catch (cause) {
        throw new SvcError('unavailable', 'The file cannot be stored right now.', { cause })
      }
    },

    async get(key, range = { start: 0, end: Number.POSITIVE_INFINITY }) {
      const part = isObjectKey(key) ? await requestPart(client, key, range) : undefined
      if (part === undefined) throw new SvcError('not_found', 'There is no such object.')
      const pieces: Uint8Array[] = []
      for await (const piece of streamPart(client, key, part, range)) pieces.push(piece)
      return joinInTurns(pieces)
    },

    async findHead(key) {
      const part = await findFirstByte(client, key)
      return part && { sizeBytes: part.sizeBytes, contentType: contentTypeOf(key) }
    },

    async open(key) {
      const part = await findFirstByte(client, key)
      return part && describePart(client, key, part)
    },

    async delete(key) {
      if (!isObjectKey(key)) return
      try {
        await retry(() => s3.deleteObject(key))
      } catch (cause) {
        if (!isMissing(cause)) throw new SvcError('unavailable', 'The file cannot be deleted right now.', { cause })
      }
    },

    signUrl: signatures.sign,
    host: {
      origin: new URL(address.bucketUrl).origin,
      presign: (key, seconds) => s3.getPresignedUrl('GET', key, seconds, session),
    },

    async *list(prefix) {
      let token: string | undefined
      do {
        const page = await retry(() => s3.listObjectsPaged('/', prefix, keysPerPage, token)).catch((cause: unknown) => {
          throw new SvcError('unavailable', 'The files cannot be listed right now.', { cause })
        })
        // The library returns null for a missing bucket.
        if (!page?.objects) throw new SvcError('unavailable', 'The bucket does not exist.')
        for (const { Key, Size, LastModified } of page.objects) {
          if (isObjectKey(Key)) yield { key: Key, sizeBytes: Size, storedAt: LastModified.getTime() }
        }
        token = page.nextContinuationToken
      } while (token !== undefined)
    },

    close: client.close,
  }
}

/** A part of an object, as answered. */
interface ObjectRange {
  /** Of the whole object. */
  readonly sizeBytes: number
  readonly etag: string
  /** Undefined if the range is empty. */
  readonly body?: ReadableStream<Uint8Array> | undefined
}

/**
 * Finds size and state of an object. A GET of one byte instead of HEAD, because only its response tells a missing object
 * from a missing bucket.
 */
async function findFirstByte(client: S3Client, key: string): Promise<ObjectRange | undefined> {
  if (!isObjectKey(key)) return undefined
  const part = await requestPart(client, key, { start: 0, end: 0 })
  // The connection can be used again if the body is read to its end; the byte is not needed.
  await new Response(part?.body).arrayBuffer().catch(() => {})
  return part && { sizeBytes: part.sizeBytes, etag: part.etag }
}

function describePart(client: S3Client, key: string, { sizeBytes, etag }: ObjectRange): OpenObject {
  return {
    sizeBytes,
    contentType: contentTypeOf(key),
    version: createHash('sha256').update(`${key}\n${etag}`).digest('base64url'),
    stream: (range = { start: 0, end: sizeBytes - 1 }) => streamPart(client, key, { sizeBytes, etag }, range),
    // Nothing is open between requests.
    close: async () => {},
  }
}

/**
 * Requests a part of an object; of the state `etag` only, if given. Returns undefined if the object does not exist.
 * Throws `unavailable`.
 */
async function requestPart(
  client: S3Client,
  key: string,
  { start, end }: ByteRange,
  etag?: string,
): Promise<ObjectRange | undefined> {
  const condition = etag === undefined ? {} : { 'if-match': etag }
  // The library's end is exclusive.
  const stopAt = end === Number.POSITIVE_INFINITY ? undefined : Math.max(start, end) + 1
  try {
    return await client.retry(async () => {
      const response = await client.s3.getObjectRaw(key, false, start, stopAt, condition)
      return readPart(response, start, etag)
    })
  } catch (cause) {
    if (etag === undefined && isMissing(cause)) return undefined
    // The range begins after the end, so the object is empty if it begins at 0.
    if (etag === undefined && findStatus(cause) === 416) return { sizeBytes: 0, etag: 'empty' }
    throw new SvcError('unavailable', cannotRead, { cause })
  }
}

async function readPart(response: Response, start: number, etag: string | undefined): Promise<ObjectRange> {
  const found = response.headers.get('etag')
  const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  if (response.status !== 206 || found === null || Number(first) !== start) {
    await response.body?.cancel()
    throw new SvcError('unavailable', 'The object store does not answer with the range and its ETag.')
  }
  // Some stores ignore `If-Match`.
  if (etag !== undefined && found !== etag) {
    await response.body?.cancel()
    throw new SvcError('unavailable', 'The object was replaced while it was read.')
  }
  return { sizeBytes: Number(size), etag: found, body: response.body ?? undefined }
}

/** Streams a range, beginning with the body of `part` if there is one. Continues a broken body where it ended. */
function streamPart(
  client: S3Client,
  key: string,
  part: ObjectRange,
  { start, end }: ByteRange,
): ReadableStream<Uint8Array> {
  const stopAt = Math.min(end + 1, part.sizeBytes)
  let at = start
  let breaks = 0
  let isCanceled = false
  let reader = part.body?.getReader()

  /** Returns undefined if the body broke and must be continued. */
  async function readPiece(): Promise<Uint8Array | undefined> {
    reader ??= (await requestPart(client, key, { start: at, end: stopAt - 1 }, part.etag))?.body?.getReader()
    if (isCanceled) return void (await reader?.cancel())
    try {
      const read = await reader?.read()
      if (read?.value !== undefined) return read.value
      throw new Error('The body ends before its size.')
    } catch (cause) {
      reader = undefined
      breaks += 1
      if (breaks > continuationsAtMost) throw new SvcError('unavailable', cannotRead, { cause })
      if (!isCanceled) await client.backOff(breaks)
      return undefined
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let piece: Uint8Array | undefined
        while (at < stopAt && piece === undefined && !isCanceled) piece = await readPiece()
        if (isCanceled) return
        if (piece !== undefined) {
          const wanted = piece.subarray(0, stopAt - at)
          at += wanted.length
          controller.enqueue(wanted)
        }
        if (at < stopAt) return
        controller.close()
        await reader?.cancel()
      },
      cancel() {
        isCanceled = true
        return reader?.cancel()
      },
    },
    { highWaterMark: 0 },
  )
}
