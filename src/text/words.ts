/** Formats an amount with its noun: `1 payload`, `2 payloads`, `1,000 payloads`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${String(amount).replace(/\B(?=(\d{3})+$)/g, ',')} ${amount === 1 ? singular : plural}`
}

/**
 * Makes a text safe for one line of a terminal: a character that would move the cursor, ring the bell, or hide or
 * reverse the following text becomes U+FFFD. Keeps joiners and tags, which names, emoji and flags need.
 */
export function toPrintable(text: string): string {
  return text.replace(/(?!\u200C|\u200D|[\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}

/** Applies `toPrintable` to each line of our own text. */
export function toPrintableLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n')
}

/** Like `toPrintable`, but lossless: writes each such character, and joiners and tags too, as a JSON escape. */
export function escapeControls(text: string): string {
  // Escape code units: JSON writes a character above U+FFFF as two escapes.
  const escapeUnits = (character: string) =>
    character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => escapeUnits(character).join(''))
}
