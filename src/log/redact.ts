const charactersAtMost = 300
/** The rest of a text is dropped unread: an answer of a vendor may have megabytes, and a search in them takes time. */
const charactersRead = 4000

/** Drops the rest of a long text after a whole word: part of a key could not be recognized. */
export function cutAtWord(text: string): string {
  if (text.length <= charactersRead) return text
  const start = text.slice(0, charactersRead)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n')) + 1)}…`
}

/** Removes API keys from a caller's text: people put keys into the wrong header and into paths. */
export function redactKeys(text: string): string {
  return text.replaceAll(/svc_[\w-]{8,}/g, 'svc_…').slice(0, charactersAtMost)
}

/** Removes our API keys, those of model services, and URLs, which may be signed, from a message. */
export function redactMessage(message: string): string {
  return redactKeys(
    cutAtWord(message)
      .replaceAll(/\b(?:https?|data):[^\s"'<>)]+/gi, '[URL]')
      .replaceAll(/\b(?:sk|pk|r8|key|bearer|aiza)[-_ ][\w-]{0,200}\d[\w-]{6,}/gi, '…'),
  )
}
