import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { SvcError } from '../../errors.js'
import { formatSize } from '../../size.js'
import { createPieces, type Pieces } from '../pieces.js'
import type { MemoryShare } from './memory-budget.js'

/** A form has some ten fields, and one of them four times. */
const partsAtMost = 100
const fieldBytesAtMost = 64 << 10
const headerBytesAtMost = 8 << 10
const headersAtMost = 20
/** Of a name that nobody asked for: enough to tell what it was meant to be. */
const otherNameCharactersAtMost = 64

export interface FormLimits {
  readonly fileBytesAtMost: number
  /** Every byte that is kept is counted here. */
  readonly share: MemoryShare
}

export interface Form {
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly files: Readonly<Record<string, Buffer>>
  /** The beginnings of names that nobody asked for. */
  readonly otherNames: readonly string[]
}

/** A part of the form whose name somebody asked for. */
interface Part {
  readonly name: string
  /** Whether somebody named a file: a form that is sent without one has a part for it that is empty. */
  readonly hasFile: boolean
  readonly pieces: Pieces
  bytes: number
}

/**
 * Takes `multipart/form-data` apart, in memory. Parts of other names are read over. An empty part without the name of a
 * file counts as left out. A field `name[]`, as some write a field that is repeated, is the field `name`.
 * `end` throws `invalid_request`, and `unavailable` where the share had no room: from then on nothing more is kept.
 */
export class FormParser {
  readonly #fieldNames: ReadonlySet<string>
  readonly #fileNames: ReadonlySet<string>
  readonly #limits: FormLimits
  readonly #parser: BusboyInstance
  readonly #parts: Part[] = []
  readonly #otherNames = new Set<string>()
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
    // Whoever stopped writing does not wait for the end.
    this.#finished.catch(() => {})
  }

  /** The promise, if there is one, is kept when more can be taken. What comes behind a fault is dropped. */
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
      else if (part.bytes === 0 && part.hasFile) throw invalid(`\`${part.name}\` is an empty file.`)
      else if (part.bytes > 0) files[part.name] = part.pieces.join()
    }
    return { fields, files, otherNames: [...this.#otherNames] }
  }

  async #drained(): Promise<void> {
    await Promise.race([new Promise((resolve) => this.#parser.once('drain', resolve)), this.#finished])
  }

  #openPart(given: string | undefined, stream: Readable, file: string | undefined): void {
    // The form's own error says all; without a listener this one would end the process.
    stream.on('error', () => {})
    const name = given === undefined ? '' : this.#toKnownName(given)
    const isFile = this.#fileNames.has(name)
    if (!(isFile || this.#fieldNames.has(name))) {
      if (name !== '') this.#otherNames.add(name.slice(0, otherNameCharactersAtMost))
      stream.resume()
      return
    }
    const part: Part = { name, hasFile: isFile && (file ?? '') !== '', pieces: createPieces(), bytes: 0 }
    this.#parts.push(part)
    const bytesAtMost = isFile ? this.#limits.fileBytesAtMost : fieldBytesAtMost
    stream.on('data', (chunk: Buffer) => this.#keep(part, chunk, bytesAtMost))
  }

  #toKnownName(given: string): string {
    const bare = given.endsWith('[]') ? given.slice(0, -2) : given
    return this.#fieldNames.has(bare) ? bare : given
  }

  #keep(part: Part, chunk: Buffer, bytesAtMost: number): void {
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

  /** Nothing may be thrown into the parser: what is wrong is told at the end. */
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
      // Every part comes as bytes: texts are decoded here, where one can tell that they are not UTF-8.
      isPartAFile: () => true,
      highWaterMark: 1 << 20,
      fileHwm: 1 << 20,
      limits: { parts: partsAtMost, headerPairs: headersAtMost, headerSize: headerBytesAtMost },
    })
  } catch (cause) {
    throw invalid('The Content-Type of a form must name its boundary.', cause)
  }
}

function toText({ name, pieces }: Part): string {
  const bytes = pieces.join()
  if (!isUtf8(bytes)) throw invalid(`\`${name}\` must be a text in UTF-8.`)
  return bytes.toString()
}

function invalid(message: string, cause?: unknown): SvcError {
  return new SvcError('invalid_request', message, { cause })
}
