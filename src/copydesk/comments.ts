import { readFileSync } from 'node:fs'
import { loadInsightCopy, readInsightTexts } from '../catalog/catalog.js'
import { SvcError } from '../errors.js'
import { generate } from '../insight/index.js'
import { reasonOf } from '../runtime/reason.js'
import { parseCommentFile, type ReviewComment } from './comment-file.js'
import { findTextLocation } from './edit/catalog-file.js'
import { findExample } from './examples/examples.js'
import { readFixtures } from './fixtures.js'

/** A comment with the current state of the catalog text that it is about. */
export interface PlacedComment extends ReviewComment {
  /** `catalog/insight/rest.json:24`; absent if the text is no longer in the catalog. */
  readonly place?: string
  /** The current text of the catalog. */
  readonly patternNow?: string
  /** The current text of its example; absent if the fixtures no longer give that example. */
  readonly saidNow?: string
  /** True if the text, or what its example says, changed since the comment was written. */
  readonly isChanged: boolean
}

/**
 * Reads files of comments, `-` for standard input. A comment that is in several files counts once.
 * Throws an SvcError that names the file.
 */
export function readCommentFiles(files: readonly string[]): readonly ReviewComment[] {
  const read = files.flatMap((file) => readComments(file))
  return [...new Map(read.map((comment) => [comment.id, comment])).values()]
}

function readComments(file: string): readonly ReviewComment[] {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (cause) {
    throw new SvcError('invalid_request', `${file} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
  const found = parseCommentFile(text)
  if (typeof found === 'string') throw new SvcError('invalid_request', `${file}: ${found}`)
  return found.comments
}

/** Adds the current catalog text to each comment and sorts the comments in the order of the catalog. */
export async function placeComments(comments: readonly ReviewComment[]): Promise<readonly PlacedComment[]> {
  const { files, patterns } = readInsightTexts()
  const copy = await loadInsightCopy()
  const fixtures = await readFixtures()
  const order = Object.keys(files)
  const placed = comments.map((comment): PlacedComment => {
    const { locale, textId } = comment
    const file = Object.hasOwn(files, textId) ? files[textId] : undefined
    const payload = findExample(comment.example, fixtures)
    const saidNow = payload && generate(payload, { copy, locale }).summary
    if (file === undefined) return { ...comment, isChanged: true, ...(saidNow !== undefined && { saidNow }) }
    const patternNow = patterns[locale][textId] ?? ''
    const isChanged = patternNow !== comment.pattern || (saidNow !== undefined && saidNow !== comment.said)
    const place = findTextLocation(file, { id: textId, locale })
    return { ...comment, place, patternNow, isChanged, ...(saidNow !== undefined && { saidNow }) }
  })
  const rank = ({ locale, textId }: ReviewComment) => order.indexOf(textId) * 3 + Object.keys(patterns).indexOf(locale)
  return placed.sort((a, b) => rank(a) - rank(b) || (a.at < b.at ? -1 : 1))
}
