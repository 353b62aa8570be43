import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { SvcError } from '../../errors.js'
import { formatSize } from '../../text/words.js'
import { createPieces } from './body-reader.js'
import type { MemoryShare } from './upload-memory.js'

/** A form has about ten fields, one of them up to four times. */
const partsAtMost = 100
const fieldBytesAtMost = 64 << 10
const headerBytesAtMost = 8 << 10
const headersAtMost = 20
/** The kept length of an unknown name: enough to recognize a misspelling. */
const unknownNameCharactersAtMost = 64

export interface Form {
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly files: Readonly<Record<string, Buffer>>
  /** Names that no route declares, truncated. */
  readonly unknownNames: readonly string[]
}

/** A part of the form with a known name. */
interface FormPart {
  readonly name: string
  /** True if the part names a file. A form that is sent without its file has an empty part without a file name. */
  readonly hasFileName: boolean
  readonly pieces: ReturnType<typeof createPieces>
  bytes: number
}

/**
 * Parses `multipart/form-data` in memory. Parts with unknown names are skipped. An empty part without a file name counts as
 * omitted. A field `name[]`, as some clients write a repeated field, is the field `name`. `share` counts every byte that is kept.
 * `end` throws `invalid_request`, and `unavailable` if the memory share ran out; after either, nothing more is kept.
 */
export function createFormParser(
  contentType: string,
  fieldNames: readonly string[],
  fileNames: readonly string[],
  { fileBytesAtMost, share }: { readonly fileBytesAtMost: number; readonly share: MemoryShare },
) {
  const parser = openBusboy(contentType)
  const parts: FormPart[] = []
  const unknownNames = new Set<string>()
  let failure: unknown
  parser.on('file', openPart)
  parser.on('partsLimit', () => fail(invalid(`The form has more than ${partsAtMost} parts.`)))
  const finished = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve)
    parser.on('error', (cause: unknown) => reject(invalid('The form is broken or ends too early.', cause)))
  })
  // A caller that stopped writing does not await the end.
  finished.catch(() => {})

  function openPart(given: string | undefined, stream: Readable, file: string | undefined): void {
    // The parser's own error covers this one, which would end the process without a listener.
    stream.on('error', () => {})
    const name = given === undefined ? '' : toKnownName(given)
    const isFile = fileNames.includes(name)
    if (!(isFile || fieldNames.includes(name))) {
      if (name !== '') unknownNames.add(name.slice(0, unknownNameCharactersAtMost))
      stream.resume()
      return
    }
    const part: FormPart = { name, hasFileName: isFile && (file ?? '') !== '', pieces: createPieces(), bytes: 0 }
    parts.push(part)
    const bytesAtMost = isFile ? fileBytesAtMost : fieldBytesAtMost
    stream.on('data', (chunk: Buffer) => keep(part, chunk, bytesAtMost))
  }

  function toKnownName(given: string): string {
    const bare = given.endsWith('[]') ? given.slice(0, -2) : given
    return fieldNames.includes(bare) ? bare : given
  }

  function keep(part: FormPart, chunk: Buffer, bytesAtMost: number): void {
    if (failure !== undefined) return
    part.bytes += chunk.length
    try {
      if (part.bytes > bytesAtMost) throw invalid(`\`${part.name}\` is larger than ${formatSize(bytesAtMost)}.`)
      share.take(chunk.length)
      part.pieces.add(chunk)
    } catch (error) {
      fail(error)
    }
  }

  /** Records an error for `end` to throw; the parser's events must not throw. */
  function fail(error: unknown): void {
    failure ??= error
    parts.length = 0
    share.release()
  }

  return {
    /** Returns a promise if the parser is busy; it resolves when more can be written. After an error, input is discarded. */
    write(chunk: Buffer): Promise<void> | undefined {
      if (failure !== undefined || parser.write(chunk)) return undefined
      return Promise.race([new Promise<void>((resolve) => parser.once('drain', resolve)), finished])
    },
    async end(): Promise<Form> {
      if (failure === undefined) {
        parser.end()
        await finished
      }
      if (failure !== undefined) throw failure
      const fields = new Map<string, string[]>()
      const files: Record<string, Buffer> = {}
      for (const part of parts) {
        if (!fileNames.includes(part.name)) fields.set(part.name, [...(fields.get(part.name) ?? []), toText(part)])
        else if (Object.hasOwn(files, part.name))
          throw invalid(`\`${part.name}\` is given more than once; send it once.`)
        else if (part.bytes === 0 && part.hasFileName) throw invalid(`\`${part.name}\` is an empty file.`)
        else if (part.bytes > 0) files[part.name] = part.pieces.join()
      }
      return { fields, files, unknownNames: [...unknownNames] }
    },
  }
}

function openBusboy(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // Every part arrives as bytes: text is decoded here, where invalid UTF-8 can be detected.
      isPartAFile: () => true,
      highWaterMark: 1 << 20,
      fileHwm: 1 << 20,
      limits: { parts: partsAtMost, headerPairs: headersAtMost, headerSize: headerBytesAtMost },
    })
  } catch (cause) {
    throw invalid('The Content-Type of a form must name its boundary.', cause)
  }
}

function toText({ name, pieces }: FormPart): string {
  const bytes = pieces.join()
  if (!isUtf8(bytes)) throw invalid(`\`${name}\` must be text in UTF-8.`)
  return bytes.toString()
}

function invalid(message: string, cause?: unknown): SvcError {
  return new SvcError('invalid_request', message, { cause })
}
