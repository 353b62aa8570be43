import { parse } from '@humanwhocodes/momoa'

/** What is wrong in a text, and at which offset. */
export interface Fault {
  readonly offset: number
  readonly message: string
}

/**
 * Finds what is wrong with a text that `JSON.parse` refused, which often gives no position; momoa does.
 * What momoa lets pass (raw control characters) is looked for apart.
 */
export function findFault(text: string): Fault {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof Error && 'offset' in error && typeof error.offset === 'number') {
      // At the end of the text momoa's place is sometimes the start.
      const offset = error.message.startsWith('Unexpected end') ? text.trimEnd().length : error.offset
      return { offset, message: toWords(error.message, text, offset) }
    }
    return unknownFault
  }
  const string = /"(?:[^"\\]|\\.)*"/gs
  for (const match of text.matchAll(string)) {
    const inside = match[0].split('').findIndex((char) => char < ' ')
    if (inside >= 0) {
      return { offset: match.index + inside, message: 'a line break or control character inside a text' }
    }
  }
  return unknownFault
}

/** Nesting deeper than momoa can follow, for one. */
const unknownFault: Fault = { offset: 0, message: 'it cannot be read as JSON' }

function toWords(message: string, text: string, offset: number): string {
  if (message.startsWith('Unexpected end')) return 'the text ends too early'
  const char = String.fromCodePoint(text.codePointAt(offset) ?? 0x20)
  const before = text.slice(0, offset).trimEnd().at(-1)
  if (char === "'") return "an unexpected ' (texts stand between double quotes)"
  if ((char === '}' || char === ']') && before === ',') return `a comma too many before ${char}`
  if (text.startsWith('//', offset) || text.startsWith('/*', offset)) return 'a comment, which JSON does not allow'
  if (offset >= text.length) return 'the text ends too early'
  return `an unexpected ${/^[a-z]+/i.exec(text.slice(offset, offset + 20))?.[0] ?? char}`
}
