/** `1 payload`, `2 payloads`, `1,000 payloads`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${String(amount).replace(/\B(?=(\d{3})+$)/g, ',')} ${amount === 1 ? singular : plural}`
}

/**
 * A text as a terminal may have it, on one line: what would move the cursor, ring the bell, hide or turn around what
 * follows becomes a replacement character. Joiners and tags stay: names, emoji and flags are made with them.
 */
export function toPrintable(text: string): string {
  return text.replace(/(?!\u200C|\u200D|[\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}

/** The same for a text of several lines that are our own. */
export function toPrintableLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n')
}

/** The same without a loss, on one line: each such character in the escape of JSON, joiners and tags too. */
export function escapeControls(text: string): string {
  // By code units: JSON writes what lies above U+FFFF as two escapes.
  const escapeUnits = (character: string) =>
    character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => escapeUnits(character).join(''))
}
