import type { Violation } from '../../insight/types.js'
import { type Location, toLocation } from './location.js'

/** A violation with the place in its file. */
export interface LocatedViolation extends Violation, Location {}

/** The rule that a text breaks which is no JSON at all. The server answers such a body with the same 422 as any other. */
export const syntaxRule = 'payload-json'

/** What is wrong with a text that `JSON.parse` refused, as a sentence with its place. `text` starts at `start`. */
export async function describeSyntaxError(text: string, start: Location): Promise<LocatedViolation> {
  const { offset, message } = (await findFault(text)) ?? { offset: 0, message: 'it cannot be read as JSON' }
  const at = toLocation(text, offset, start)
  return brokenJson(at, message)
}

export function brokenJson(at: Location, what: string): LocatedViolation {
  const message = `This is not valid JSON: ${what} at line ${at.line}, column ${at.column}.`
  return { path: '', rule: syntaxRule, message, ...at }
}

interface Fault {
  readonly offset: number
  readonly message: string
}

/** `JSON.parse` often gives no position; momoa does. What momoa lets pass (raw control characters) is looked for apart. */
async function findFault(text: string): Promise<Fault | undefined> {
  const { parse } = await import('@humanwhocodes/momoa')
  try {
    parse(text)
  } catch (error) {
    if (error instanceof Error && 'offset' in error && typeof error.offset === 'number') {
      return { offset: error.offset, message: toWords(error.message, text, error.offset) }
    }
    return undefined
  }
  const string = /"(?:[^"\\]|\\.)*"/gs
  for (const match of text.matchAll(string)) {
    const inside = match[0].split('').findIndex((char) => char < ' ')
    if (inside >= 0) {
      return { offset: match.index + inside, message: 'a line break or control character inside a text' }
    }
  }
  return undefined
}

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
