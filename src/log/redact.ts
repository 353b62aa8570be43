const charactersAtMost = 300

/** Takes the API keys out of a text that a caller chose: people put keys into the wrong header and into paths. */
export function redactKeys(text: string): string {
  return text.replaceAll(/svc_[\w-]{8,}/g, 'svc_…').slice(0, charactersAtMost)
}

/** A message without API keys of ours or of model services, and without addresses, which may be signed. */
export function redactMessage(message: string): string {
  return redactKeys(
    message
      .replaceAll(/\b(?:https?|data):[^\s"'<>)]+/gi, '[URL]')
      .replaceAll(/\b(?:sk|pk|r8|key|bearer|aiza)[-_ ][\w-]*\d[\w-]{6,}/gi, '…'),
  )
}
