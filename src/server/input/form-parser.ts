import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { SvcError } from '../../errors.js'
import { formatSize } from '../../text/words.js'
import { createPieces, type Pieces } from './body-reader.js'
import type { MemoryShare } from './upload-memory.js'

/** A form has about ten fields, one of them up to four times. */
const partsAtMost = 100
const fieldBytesAtMost = 64 << 10
const headerBytesAtMost = 8 << 10
const headersAtMost = 20
/** The kept length of an unknown name: enough to recognize a misspelling. */
const unknownNameCharactersAtMost = 64

export interface FormLimits {
  readonly fileBytesAtMost: number
  /** Counts every byte that is kept. */
  readonly share: MemoryShare
}

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
  readonly pieces: Pieces
  bytes: number
}

/**
 * Parses `multipart/form-data` in memory. Parts with unknown names are skipped. An empty part without a file name counts as
 * omitted. A field `name[]`, as some clients write a repeated field, is the field `name`.
 * `end` throws `invalid_request`, and `unavailable` if the memory share ran out; after either, nothing more is kept.
 */
export class FormParser {
  readonly #fieldNames: ReadonlySet<string>
  readonly #fileNames: ReadonlySet<string>
  readonly #limits: FormLimits
  readonly #parser: BusboyInstance
  readonly #parts: FormPart[] = []
  readonly #unknownNames = new Set<string>()
  readonly #finished: Promise<void>
  #failure: unknown

  constructor(contentType: string, fieldNames: readonly string[], fileNames: readonly string[], limits: FormLimits) {
    this.#fieldNames = new Set(fieldNames)
    this.#fileNames = new Set(fileNames)
    this.#limits = limits
    this.#parser = openBusboy(contentType)
    this.#parser.on('file', (name, stream, file) => this.#openPart(name, stream, file))
    this.#parser.on('partsLimit', () => this.#fail(invalid(`The form has more than ${partsAtMost} parts.`)))
    this.#finished = new Promise((resolve, reject) => {
      this.#parser.on('finish', resolve)
      this.#parser.on('error', (cause: unknown) => reject(invalid('The form is broken or ends too early.', cause)))
    })
    // A caller that stopped writing does not await the end.
    this.#finished.catch(() => {})
  }

  /** Returns a promise if the parser is busy; it resolves when more can be written. After an error, input is discarded. */
  write(chunk: Buffer): Promise<void> | undefined {
    if (this.#failure !== undefined || this.#parser.write(chunk)) return undefined
    return this.#drained()
  }

  async end(): Promise<Form> {
    if (this.#failure === undefined) {
      this.#parser.end()
      await this.#finished
    }
    if (this.#failure !== undefined) throw this.#failure
    const fields = new Map<string, string[]>()
    const files: Record<string, Buffer> = {}
    for (const part of this.#parts) {
      if (!this.#fileNames.has(part.name)) fields.set(part.name, [...(fields.get(part.name) ?? []), toText(part)])
      else if (Object.hasOwn(files, part.name)) throw invalid(`\`${part.name}\` is given more than once; send it once.`)
      else if (part.bytes === 0 && part.hasFileName) throw invalid(`\`${part.name}\` is an empty file.`)
      else if (part.bytes > 0) files[part.name] = part.pieces.join()
    }
    return { fields, files, unknownNames: [...this.#unknownNames] }
  }

  async #drained(): Promise<void> {
    await Promise.race([new Promise((resolve) => this.#parser.once('drain', resolve)), this.#finished])
  }

  #openPart(given: string | undefined, stream: Readable, file: string | undefined): void {
    // The parser's own error covers this one, which would end the process without a listener.
    stream.on('error', () => {})
    const name = given === undefined ? '' : this.#toKnownName(given)
    const isFile = this.#fileNames.has(name)
    if (!(isFile || this.#fieldNames.has(name))) {
      if (name !== '') this.#unknownNames.add(name.slice(0, unknownNameCharactersAtMost))
      stream.resume()
      return
    }
    const part: FormPart = { name, hasFileName: isFile && (file ?? '') !== '', pieces: createPieces(), bytes: 0 }
    this.#parts.push(part)
    const bytesAtMost = isFile ? this.#limits.fileBytesAtMost : fieldBytesAtMost
    stream.on('data', (chunk: Buffer) => this.#keep(part, chunk, bytesAtMost))
  }

  #toKnownName(given: string): string {
    const bare = given.endsWith('[]') ? given.slice(0, -2) : given
    return this.#fieldNames.has(bare) ? bare : given
  }

  #keep(part: FormPart, chunk: Buffer, bytesAtMost: number): void {
    if (this.#failure !== undefined) return
    part.bytes += chunk.length
    try {
      if (part.bytes > bytesAtMost) throw invalid(`\`${part.name}\` is larger than ${formatSize(bytesAtMost)}.`)
      this.#limits.share.take(chunk.length)
      part.pieces.add(chunk)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Records an error for `end` to throw; the parser's events must not throw. */
  #fail(error: unknown): void {
    this.#failure ??= error
    this.#parts.length = 0
    this.#limits.share.release()
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
