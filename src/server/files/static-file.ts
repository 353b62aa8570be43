import { readFile } from 'node:fs/promises'
import { encodedPath, nameContent } from '../../runtime/encoded.js'
import { shippedUrl } from '../../runtime/entry.js'

type Bytes = Uint8Array<ArrayBuffer>

/** A file that is the same for every call, with the copy that the build compressed. */
export interface StaticFile {
  readonly bytes: Bytes
  readonly type: string
  readonly name: string
  readonly gzipped: Bytes | undefined
}

/** The response to a call for a file: all of it, a part, or where it is. */
export interface FileAnswer {
  readonly status: 200 | 206 | 302 | 304 | 308 | 416
  readonly headers: Readonly<Record<string, string>>
  readonly stream?: ReadableStream<Uint8Array>
}

/** Finds the compressed copy of a file. After a change it is that of other bytes, and not found. */
export async function toStaticFile(bytes: Bytes, type: string): Promise<StaticFile> {
  const name = nameContent(bytes)
  return { bytes, type, name, gzipped: await readCopy(encodedPath(name)) }
}

/**
 * Answers with the file, compressed if the caller prefers that, or 304 if the caller has it. Each coding has its own `ETag`.
 * Parts of a file are not served, so that a `Range` is ignored.
 */
export function answerFile(
  { bytes, type, name, gzipped }: StaticFile,
  { method, headers }: { readonly method: string; readonly headers: Headers },
): FileAnswer {
  const copy = prefersGzip(headers.get('accept-encoding')) ? gzipped : undefined
  const etag = copy === undefined ? `"${name}"` : `"${name}-gzip"`
  const kept = { etag, 'cache-control': 'no-cache', ...(gzipped && { vary: 'Accept-Encoding' }) }
  if (isNamed(headers.get('if-none-match'), etag)) return { status: 304, headers: kept }
  const content = copy ?? bytes
  const whole = {
    ...kept,
    'content-type': type,
    'content-length': String(content.byteLength),
    ...(copy && { 'content-encoding': 'gzip' }),
  }
  return method === 'HEAD'
    ? { status: 200, headers: whole }
    : { status: 200, headers: whole, stream: new Blob([content]).stream() }
}

async function readCopy(path: string): Promise<Bytes | undefined> {
  try {
    return new Uint8Array(await readFile(shippedUrl(path)))
  } catch {
    // The build makes no copy of a short file.
    return undefined
  }
}

/**
 * True if the header `Accept-Encoding` prefers gzip to the plain content, which is also the response to a caller that accepts
 * nothing. Source: RFC 9110, 12.5.3.
 */
export function prefersGzip(header: string | null): boolean {
  const weights = parseWeights(header ?? '')
  const any = weights.get('*')
  const gzip = weights.get('gzip') ?? any ?? 0
  // A plain answer is acceptable unless the header excludes it, and less welcome than gzip if only that is listed.
  return gzip > 0 && gzip >= (weights.get('identity') ?? any ?? 0)
}

function parseWeights(header: string): ReadonlyMap<string, number> {
  const members = header.split(',').map((member) => {
    const [name = '', ...parameters] = member
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return [name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : toWeight(weight)] as const
  })
  return new Map(members.filter(([name]) => name !== ''))
}

/** Returns 0, not acceptable, for a malformed weight. */
function toWeight(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0
}

/** True if a list of tags (`If-None-Match`) contains this one. A weak tag matches the strong one. */
export function isNamed(header: string | null, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
