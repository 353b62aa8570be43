const charactersAtMost = 220

/**
 * Words of a model service for the log: without `secrets` (the API key, the prompt with what callers wrote), URLs, which
 * may be signed, whatever looks like a key, and control characters.
 */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 0)
    .reduce((kept, secret) => kept.replaceAll(secret, '…'), text)
    .replaceAll(/\b(?:https?|gs|data):[^\s"'<>)]+/gi, '[URL]')
    .replaceAll(/\b(?:sk|r8|key|bearer|aiza)[-_ ]?[\w-]*\d[\w-]{6,}/gi, '…')
    .replaceAll(/[\w+/=-]{40,}/g, '…')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, charactersAtMost)
}
