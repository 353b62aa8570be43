import { readFile } from 'node:fs/promises'
import { type Encoding, encodedPath, encodings, nameContent } from '../../runtime/encoded.js'
import { shippedUrl } from '../../runtime/entry.js'

type Bytes = Uint8Array<ArrayBuffer>

/** A file that is the same for every call, with the compressed copies that the build made of it. */
export interface StaticFile {
  readonly bytes: Bytes
  readonly type: string
  readonly name: string
  readonly copies: ReadonlyMap<Encoding, Bytes>
}

/** The response to a call for a file: all of it, a part, or where it is. */
export interface FileAnswer {
  readonly status: 200 | 206 | 302 | 304 | 308 | 416
  readonly headers: Readonly<Record<string, string>>
  readonly stream?: ReadableStream<Uint8Array>
}

/** Finds the compressed copies of a file. After a change they are those of other bytes, and not found. */
export async function toStaticFile(bytes: Bytes, type: string): Promise<StaticFile> {
  const name = nameContent(bytes)
  const names = Object.keys(encodings) as Encoding[]
  const copies = await Promise.all(names.map((encoding) => readCopy(encodedPath(name, encoding))))
  const found = names.flatMap((encoding, index) => {
    const copy = copies[index]
    return copy === undefined ? [] : [[encoding, copy] as const]
  })
  return { bytes, type, name, copies: new Map(found) }
}

/**
 * Answers with the file in the coding that the caller prefers, or 304 if the caller has it. Each coding has its own `ETag`.
 * Parts of a file are not served, so that a `Range` is ignored.
 */
export function answerFile(
  { bytes, type, name, copies }: StaticFile,
  { method, headers }: { readonly method: string; readonly headers: Headers },
): FileAnswer {
  const encoding = chooseEncoding(headers.get('accept-encoding'), [...copies.keys()])
  const etag = encoding === undefined ? `"${name}"` : `"${name}-${encoding}"`
  const kept = { etag, 'cache-control': 'no-cache', ...(copies.size === 0 ? {} : { vary: 'Accept-Encoding' }) }
  if (isNamed(headers.get('if-none-match'), etag)) return { status: 304, headers: kept }
  const content = (encoding && copies.get(encoding)) ?? bytes
  const whole = {
    ...kept,
    'content-type': type,
    'content-length': String(content.byteLength),
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
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
 * Returns the coding among `available` that the header `Accept-Encoding` prefers, or undefined for the plain content, which is
 * also the response to a caller that accepts nothing. Source: RFC 9110, 12.5.3.
 */
export function chooseEncoding(header: string | null, available: readonly Encoding[]): Encoding | undefined {
  const weights = parseWeights(header ?? '')
  const any = weights.get('*')
  // A plain answer is acceptable unless the header excludes it, and less welcome than any coding that the header lists.
  let best = weights.get('identity') ?? any ?? Number.MIN_VALUE
  let chosen: Encoding | undefined
  for (const encoding of preferred.filter((name) => available.includes(name))) {
    const weight = weights.get(encoding) ?? any ?? 0
    if (weight > best || (chosen === undefined && weight > 0 && weight === best)) {
      best = weight
      chosen = encoding
    }
  }
  return chosen
}

const preferred = Object.keys(encodings) as Encoding[]

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
