const urlAtMost = 2048
/** The longest text: a link whose label is its address. */
const textAtMost = 2 * urlAtMost + '[]()'.length

/**
 * The address of a photo: an HTTP or HTTPS URL of at most 2048 characters, or a Markdown link to one, `[text](url)`.
 * Answers it in the form that URLs are compared in; undefined if `text` is neither.
 * Source: gateway contract, 4.3.
 */
export function readImageUrl(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > textAtMost) return undefined
  const target = (/^\[.*?\]\((.+)\)$/s.exec(trimmed)?.[1] ?? trimmed).trim()
  if (target.length > urlAtMost || !/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined
  return new URL(target).href
}
