const charactersAtMost = 300

/** Removes API keys from a caller's text: people put keys into the wrong header and into paths. */
export function redactKeys(text: string): string {
  return text.replaceAll(/svc_[\w-]{8,}/g, 'svc_…').slice(0, charactersAtMost)
}

/** Removes our API keys, those of model services, and URLs, which may be signed, from a message. */
export function redactMessage(message: string): string {
  return redactKeys(
    message
      .replaceAll(/\b(?:https?|data):[^\s"'<>)]+/gi, '[URL]')
      .replaceAll(/\b(?:sk|pk|r8|key|bearer|aiza)[-_ ][\w-]*\d[\w-]{6,}/gi, '…'),
  )
}
