import { fileURLToPath } from 'node:url'
import { readInsightFiles, readInsightTexts } from '../../catalog/catalog.js'
import { SvcError } from '../../errors.js'
import { byLocale } from '../../insight/types.js'
import { shippedUrl } from '../../runtime/entry.js'
import { writeWhole } from '../../runtime/output.js'
import { findOffset, locate, skipValue } from '../../text/json-location.js'
import { findNearest } from '../../text/spelling.js'
import type { SignedText } from '../signoff/signoff.js'
import type { Draft } from './draft.js'

/** Reads a text of the catalog as a draft. Throws `not_found` with the nearest ID for an unknown one. */
export function readDraft(wanted: string): Draft {
  const { files, patterns } = readInsightTexts()
  const ids = Object.keys(files)
  const id = ids.find((one) => one === wanted.toUpperCase())
  if (id === undefined) {
    const nearest = findNearest(wanted, ids)
    throw new SvcError(
      'not_found',
      `The text ${JSON.stringify(wanted)} does not exist.${nearest === undefined ? '' : ` Did you mean ${nearest}?`} svc insight scenarios lists the sentences.`,
    )
  }
  return { id, file: `catalog/${files[id]}`, texts: byLocale((locale) => patterns[locale][id] ?? '') }
}

/** Returns the location of a text: `catalog/insight/rest.json:24`. */
export function findTextLocation(file: string, { id, locale }: Pick<SignedText, 'id' | 'locale'>): string {
  const { line } = locate(readContent(file), `/${id}/${locale}`, { line: 1, column: 1 })
  return `catalog/${file}:${line}`
}

/**
 * Writes texts into their file and keeps every other byte of it. `before` is the text as it was read.
 * Throws `conflict`, and writes nothing, if another process changed a text in the meantime.
 */
export async function writeCatalogTexts(
  file: string,
  changes: readonly { readonly before: Pick<SignedText, 'id' | 'locale' | 'text'>; readonly text: string }[],
): Promise<void> {
  let result = readContent(file)
  for (const { before, text } of changes) {
    const start = findOffset(result, `/${before.id}/${before.locale}`)
    const end = skipValue(result, start)
    if (readString(result.slice(start, end)) !== before.text) {
      throw new SvcError(
        'conflict',
        `catalog/${file}: ${before.id}, ${before.locale} was changed by another process in the meantime, so nothing was written.`,
      )
    }
    result = result.slice(0, start) + JSON.stringify(text) + result.slice(end)
  }
  await writeWhole(fileURLToPath(shippedUrl(`catalog/${file}`)), result)
}

function readContent(file: string): string {
  return readInsightFiles().find((one) => one.file === file)?.content ?? ''
}

function readString(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Not valid JSON, so not the text that was read.
    return undefined
  }
}
