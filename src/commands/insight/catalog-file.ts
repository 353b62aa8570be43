import { fileURLToPath } from 'node:url'
import { readInsightFiles } from '../../catalog.js'
import { shippedUrl } from '../../entry.js'
import { SvcError } from '../../errors.js'
import type { Locale } from '../../insight/types.js'
import { findOffset, locate, skipValue } from '../input/location.js'
import { openFile } from '../output/stream.js'

/** A text of the catalog in one language. */
export interface CatalogText {
  readonly id: string
  readonly locale: Locale
  readonly text: string
}

/** Where a text stands: `catalog/insight/rest.json:24`. */
export function describePlace(file: string, { id, locale }: Pick<CatalogText, 'id' | 'locale'>): string {
  const { line } = locate(readContent(file), `/${id}/${locale}`, { line: 1, column: 1 })
  return `catalog/${file}:${line}`
}

/**
 * Writes texts into their file and leaves every other byte of it as it is. `before` is what they were when they were read:
 * throws `conflict` for a text that somebody else changed meanwhile, and then writes nothing.
 */
export async function writeCatalogTexts(
  file: string,
  changes: readonly { readonly before: CatalogText; readonly text: string }[],
): Promise<void> {
  let result = readContent(file)
  for (const { before, text } of changes) {
    const start = findOffset(result, `/${before.id}/${before.locale}`)
    const end = skipValue(result, start)
    if (readString(result.slice(start, end)) !== before.text) {
      throw new SvcError(
        'conflict',
        `catalog/${file}: ${before.id}, ${before.locale} was changed by somebody else meanwhile, so nothing was written.`,
      )
    }
    result = result.slice(0, start) + JSON.stringify(text) + result.slice(end)
  }
  const output = openFile(fileURLToPath(shippedUrl(`catalog/${file}`)))
  output.write(result)
  await output.close()
}

function readContent(file: string): string {
  return readInsightFiles().find((one) => one.file === file)?.content ?? ''
}

function readString(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Not a value by itself: then it is no text either.
    return undefined
  }
}
