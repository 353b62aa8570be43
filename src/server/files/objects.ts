import type { H3Event } from 'h3'
import { SvcError } from '../../errors.js'
import type { ByteRange, ObjectHost, ObjectStore, OpenObject, UrlSignatures } from '../../ports/objects.js'
import { type FileAnswer, isNamed } from './static-file.js'

export interface ObjectParts {
  readonly store: ObjectStore
  readonly signatures: UrlSignatures
  /** The host that serves the objects in place of this server. */
  readonly redirectsTo?: ObjectHost | undefined
}

export const objectsPath = '/objects/'

/** The validity of a URL at the store's host, and the time for which a browser may use it again. */
const redirectSeconds = 600
const redirectKeptSeconds = 300

/** Keeps browsers from running a file that a caller uploaded, and from guessing its type. */
const safety = {
  'x-content-type-options': 'nosniff',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
  // Other sites show the pictures.
  'cross-origin-resource-policy': 'cross-origin',
}

/**
 * Serves a stored file by its signed address, without a key. Throws `forbidden` for an address that was altered or has
 * expired, and `not_found` for a file that was deleted.
 * @NOTE contract: signed addresses are only said to be "time-limited"; each query of the task returns a new one.
 */
export async function serveObject(
  { store, signatures, redirectsTo }: ObjectParts,
  event: H3Event,
  now: Date,
): Promise<FileAnswer> {
  const { pathname, searchParams } = event.url
  const key = pathname.slice(objectsPath.length)
  const expires = searchParams.get('expires') ?? ''
  if (!signatures.isValid(key, { expires, signature: searchParams.get('signature') ?? '' }, now)) {
    throw new SvcError('forbidden', 'This address is not valid or has expired. Query the task again for a new one.')
  }
  // A URL at the host is valid for GET only.
  if (redirectsTo !== undefined && event.req.method === 'GET') return redirect(redirectsTo, key)
  const object = await store.open(key)
  if (object === undefined) throw new SvcError('not_found', 'This file no longer exists.')
  const secondsLeft = Math.floor(Number(expires) - now.getTime() / 1000)
  const answer = answerWith(object, event.req, secondsLeft)
  if (answer.stream !== undefined) return { ...answer, stream: await beginStream(answer.stream) }
  await object.close()
  return answer
}

/** Resolves with the first bytes, which a store may fail to read: the response is an error then, and not one that breaks. */
async function beginStream(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.getReader()
  let first: Awaited<ReturnType<typeof reader.read>> | undefined = await reader.read()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = first ?? (await reader.read())
        first = undefined
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Also for a file that was deleted: its host answers 404. */
async function redirect(host: ObjectHost, key: string): Promise<FileAnswer> {
  const location = await host.presign(key, redirectSeconds)
  const headers = {
    location,
    'cache-control': `private, max-age=${redirectKeptSeconds}`,
    'referrer-policy': 'no-referrer',
  }
  return { status: 302, headers: { ...headers, ...safety } }
}

function answerWith(object: OpenObject, { method, headers }: H3Event['req'], secondsLeft: number): FileAnswer {
  const { sizeBytes, contentType, version } = object
  const etag = `"${version}"`
  const kept = { etag, 'cache-control': `private, max-age=${secondsLeft}`, ...safety }
  if (isNamed(headers.get('if-none-match'), etag)) return { status: 304, headers: kept }

  const ifRange = headers.get('if-range')
  const isRangeMeant = method === 'GET' && (ifRange === null || ifRange === etag)
  const range = isRangeMeant ? parseRange(headers.get('range'), sizeBytes) : 'all'
  const whole = { ...kept, 'content-type': contentType, 'accept-ranges': 'bytes' }
  if (range === 'none') return { status: 416, headers: { ...kept, 'content-range': `bytes */${sizeBytes}` } }
  if (range === 'all') {
    const answer = { status: 200, headers: { ...whole, 'content-length': String(sizeBytes) } } as const
    return method === 'HEAD' ? answer : { ...answer, stream: object.stream() }
  }
  const { start, end } = range
  return {
    status: 206,
    headers: {
      ...whole,
      'content-length': String(end - start + 1),
      'content-range': `bytes ${start}-${end}/${sizeBytes}`,
    },
    stream: object.stream(range),
  }
}

/**
 * Returns the part of a file that a `Range` header requests: `all` if the header is missing, malformed or has several
 * ranges, `none` if the range lies outside the file. Source: RFC 9110, 14.
 */
export function parseRange(header: string | null, sizeBytes: number): ByteRange | 'all' | 'none' {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  if (match === null || (match[1] === '' && match[2] === '')) return 'all'
  const last = sizeBytes - 1
  if (match[1] === '') {
    const bytes = Number(match[2])
    return bytes === 0 || sizeBytes === 0 ? 'none' : { start: Math.max(0, sizeBytes - bytes), end: last }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? last : Number(match[2])
  if (match[2] !== '' && end < start) return 'all'
  return start > last ? 'none' : { start, end: Math.min(end, last) }
}
