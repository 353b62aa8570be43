import { type BodySource, readChunks } from './body-reader.js'
import type { Form } from './form-parser.js'
import { type BodyRule, isJsonType } from './json-body.js'
import type { MemoryBudget } from './upload-memory.js'

/**
 * A file over its limit is read to its end, so that the response can name it; a form with this many bytes beyond the limits of
 * its files is too large, regardless of its content. Nothing beyond a limit is kept.
 */
const beyondFilesBytes = 22 << 20

export interface UploadLimits {
  readonly fileBytesAtMost: number
  /** Shared by the files of all calls. */
  readonly budget: MemoryBudget
}

export function isForm(headers: BodySource['headers']): boolean {
  return /^multipart\/form-data *(;|$)/i.test(headers.get('content-type') ?? '')
}

/** Returns the rule that a body breaks which is neither a readable form nor JSON, such as a bare photo. */
export function findFormViolation(headers: BodySource['headers']): BodyRule | undefined {
  return isForm(headers) || isJsonType(headers.get('content-type')) ? undefined : 'content-type'
}

/** Reads and discards a body that was sent in place of a form. Throws `payload_too_large` above the limit of a form. */
export function skipForm(source: BodySource, fileNames: readonly string[], limits: UploadLimits): Promise<void> {
  return readChunks(source, countBytesAtMost(fileNames, limits), () => undefined)
}

/** Reads a form and keeps only the fields and files of these names. `release` frees the memory share. */
export async function readForm(
  source: BodySource,
  fieldNames: readonly string[],
  fileNames: readonly string[],
  limits: UploadLimits,
): Promise<Form & { release(): void }> {
  // Few calls bring files, so most processes never load the parser.
  const { createFormParser } = await import('./form-parser.js')
  const share = limits.budget.openShare()
  try {
    const contentType = source.headers.get('content-type') ?? ''
    const { fileBytesAtMost } = limits
    const parser = createFormParser(contentType, fieldNames, fileNames, { fileBytesAtMost, share })
    await readChunks(source, countBytesAtMost(fileNames, limits), (chunk) => parser.write(chunk))
    return { ...(await parser.end()), release: share.release }
  } catch (error) {
    share.release()
    throw error
  }
}

function countBytesAtMost(fileNames: readonly string[], { fileBytesAtMost }: UploadLimits): number {
  return fileNames.length * fileBytesAtMost + beyondFilesBytes
}
