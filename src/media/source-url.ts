const urlAtMost = 2048
/** Length of the longest accepted text: a link whose label and title are its address. */
const textAtMost = 3 * urlAtMost + '[](<> "")'.length
/** `[text](url)`, `[text](<url>)`, `[text](url "title")`. */
const link = /^\[.*?\]\((.+)\)$/s
const title = /\s+("[^"]*"|'[^']*'|\([^()]*\))$/

/**
 * Parses the address of a photo: an HTTP or HTTPS URL of at most 2048 characters, or a Markdown link to one,
 * `[text](url)`, whose address may be in `<>` and be followed by a title.
 * Returns the normalized URL, or undefined if `text` is neither.
 * Source: gateway contract, 4.3.
 */
export function readImageUrl(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > textAtMost) return undefined
  const linked = link.exec(trimmed)?.[1]?.trim().replace(title, '')
  const target = linked?.replace(/^<(.*)>$/s, '$1').trim() ?? trimmed
  if (target.length > urlAtMost || !/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined
  return new URL(target).href
}
