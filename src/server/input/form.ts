import type { BodySource } from '../body.js'
import type { Form } from './form-parser.js'
import type { MemoryBudget } from './memory-budget.js'
import { pumpBody } from './pump.js'

/**
 * A file over its limit is invalid, and read to its end to say so; a form of so many bytes beyond the limits of its files is
 * too large, whatever is in it. Nothing of what is beyond is kept.
 */
const beyondFilesBytes = 22 << 20

export interface UploadLimits {
  readonly fileBytesAtMost: number
  /** For the files of all calls together. */
  readonly budget: MemoryBudget
}

/** Reads over what is sent in place of a form. Throws `payload_too_large` where a form would be. */
export function skipForm(source: BodySource, fileNames: readonly string[], limits: UploadLimits): Promise<void> {
  return pumpBody(source, countBytesAtMost(fileNames, limits), () => undefined)
}

function countBytesAtMost(fileNames: readonly string[], { fileBytesAtMost }: UploadLimits): number {
  return fileNames.length * fileBytesAtMost + beyondFilesBytes
}

/** Reads a form, of which only the fields and files of these names are kept. `release` gives the memory back. */
export async function readForm(
  source: BodySource,
  fieldNames: readonly string[],
  fileNames: readonly string[],
  limits: UploadLimits,
): Promise<Form & { release(): void }> {
  // Few calls bring files, so most processes never load what reads them.
  const { FormParser } = await import('./form-parser.js')
  const share = limits.budget.openShare()
  try {
    const contentType = source.headers.get('content-type') ?? ''
    const { fileBytesAtMost } = limits
    const parser = new FormParser(contentType, fieldNames, fileNames, { fileBytesAtMost, share })
    await pumpBody(source, countBytesAtMost(fileNames, limits), (chunk) => parser.write(chunk))
    return { ...(await parser.end()), release: share.release }
  } catch (error) {
    share.release()
    throw error
  }
}
