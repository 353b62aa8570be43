import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { findSystemReason, SvcError } from '../errors.js'
import { reasonOf } from '../runtime/reason.js'
import { quote } from '../text/spelling.js'
import type { Source } from './sources.js'

const chunkBytes = 1 << 20

export type SpareMemory = ReturnType<typeof createSpareMemory>

/** Reuses the memory of checked chunks: a long file takes no more than the chunks that are in progress at once. */
export function createSpareMemory() {
  const spare: ArrayBufferLike[] = []
  return {
    take: (sizeBytes: number): Buffer => {
      const memory = sizeBytes === chunkBytes ? spare.pop() : undefined
      return memory === undefined ? Buffer.allocUnsafeSlow(sizeBytes) : Buffer.from(memory)
    },
    /** Gives back the memory of bytes that are not needed any more. */
    give: ({ buffer }: Uint8Array): void => {
      if (buffer.byteLength === chunkBytes) spare.push(buffer)
    },
  }
}

/**
 * Yields the text of a source in chunks of about 1 MiB that end between characters. Their memory comes from `spare`; the
 * caller gives it back.
 * Throws an SvcError with the reason if the source cannot be read or is not UTF-8 text.
 */
export async function* readChunks(source: Source, spare = createSpareMemory()): AsyncGenerator<Buffer> {
  let carry: Buffer = Buffer.alloc(0)
  let position = 0
  for await (const piece of readBytes(source, spare)) {
    const bytes = carry.length === 0 ? piece : Buffer.concat([carry, piece])
    const end = bytes.length - countOpenBytes(bytes)
    // Copied before the chunk is yielded: its memory may move to another thread.
    carry = Buffer.from(bytes.subarray(end))
    yield requireText(bytes.subarray(0, end), position, source)
    position += end
  }
  if (carry.length > 0) requireText(carry, position, source)
}

async function* readBytes(source: Source, spare: SpareMemory): AsyncGenerator<Buffer> {
  try {
    // A copy: the stream owns the memory of its chunks.
    if (source.path === undefined) for await (const piece of process.stdin) yield Buffer.from(piece)
    else yield* readFile(source.path, spare)
  } catch (cause) {
    throw new SvcError('not_found', `${findSystemReason(cause) ?? `it cannot be read: ${reasonOf(cause)}`}.`, { cause })
  }
}

/** Reads with synchronous calls: nothing else waits in this program, and the first byte comes soonest. */
function* readFile(path: string, spare: SpareMemory): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    for (;;) {
      // A file of unknown size (a pipe, /proc) reports 0.
      const chunk = spare.take(size === 0 ? chunkBytes : Math.min(size, chunkBytes))
      const length = readSync(file, chunk, 0, chunk.length, null)
      if (length === 0) return
      yield chunk.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

/** Counts the bytes at the end that begin a character which the next chunk completes. */
function countOpenBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

function requireText(bytes: Buffer, position: number, { path = 'FILE' }: Source): Buffer {
  const isText = isUtf8(bytes) && !bytes.includes(0)
  if (isText) return bytes
  const start = position === 0 ? bytes.toString('hex', 0, 4) : ''
  const [, kind, command] = kinds.find(([pattern]) => pattern.test(start)) ?? []
  if (kind !== undefined) {
    throw new SvcError(
      'invalid_request',
      `it is ${kind}. Convert it to UTF-8 text: ${command} < ${quote(path)} > payload.json`,
    )
  }
  const where = position === 0 ? '' : ` after byte ${position}; the text before it was checked`
  const fix = bytes.includes(0)
    ? 'JSON is expected.'
    : `If it is Latin-1 text, convert it: ${iconv('ISO-8859-1')} < ${quote(path)} > payload.json`
  throw new SvcError('invalid_request', `it is not UTF-8 text${where}. ${fix}`)
}

const iconv = (encoding: string) => `iconv -f ${encoding} -t UTF-8`

/** Lists what is mistaken for UTF-8 text by its first four bytes, and the command that converts it. JSON begins with ASCII. */
const kinds: readonly (readonly [start: RegExp, kind: string, command: string])[] = [
  [/^1f8b/, 'compressed with gzip', 'gunzip'],
  [/^504b0304/, 'a zip archive', 'funzip'],
  [/^(fffe0000|0000feff)/, 'UTF-32 text', iconv('UTF-32')],
  [/^(fffe|feff)/, 'UTF-16 text', iconv('UTF-16')],
  [/^(?!00)..000000/, 'UTF-32 text', iconv('UTF-32LE')],
  [/^000000/, 'UTF-32 text', iconv('UTF-32BE')],
  [/^(?!00)..00(?!00)..00/, 'UTF-16 text', iconv('UTF-16LE')],
  [/^00(?!00)..00/, 'UTF-16 text', iconv('UTF-16BE')],
]
