import { skipBlank } from '../text/json-location.js'

/** A syntax error in a JSON text. */
export interface JsonSyntaxError {
  readonly offset: number
  readonly message: string
}

/** The tokens that may come next in a JSON text. */
type State = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing'

/**
 * Finds the first syntax error of a text that `JSON.parse` rejected, often without an offset. The message names the fix if
 * it is obvious.
 */
export function findSyntaxError(text: string): JsonSyntaxError {
  const open: string[] = []
  let state: State = 'value'
  for (let at = skipBlank(text, 0); ; at = skipBlank(text, at)) {
    const char = text[at]
    if (char === undefined) return tooEarly(text)
    if (char === '"') {
      if (!takesString(state)) return unexpected(text, at, state, open)
      const end = readString(text, at)
      if (typeof end !== 'number') return end
      at = end
      state = takesName(state) ? 'colon' : afterValue(open)
    } else if ((char === '{' || char === '[') && takesValue(state)) {
      open.push(char)
      state = char === '{' ? 'name or end' : 'value or end'
      at++
    } else if ((char === '}' || char === ']') && state.endsWith('or end') && open.at(-1) === opening[char]) {
      open.pop()
      state = afterValue(open)
      at++
    } else if (char === ',' && state === 'comma or end') {
      state = open.at(-1) === '{' ? 'name' : 'value'
      at++
    } else if (char === ':' && state === 'colon') {
      state = 'value'
      at++
    } else {
      const word = readWord(text, at)
      if (!takesValue(state) || !scalar.test(word)) return unexpected(text, at, state, open)
      at += word.length
      state = afterValue(open)
    }
  }
}

const opening = { '}': '{', ']': '[' } as const
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
const takesValue = (state: State) => state === 'value' || state === 'value or end'
const takesName = (state: State) => state === 'name' || state === 'name or end'
const takesString = (state: State) => takesValue(state) || takesName(state)

function afterValue(open: readonly string[]): State {
  return open.length === 0 ? 'nothing' : 'comma or end'
}

function tooEarly(text: string): JsonSyntaxError {
  return { offset: text.trimEnd().length, message: 'the text ends too early' }
}

/** Returns the offset after the string that starts at `start`, or its syntax error. */
function readString(text: string, start: number): number | JsonSyntaxError {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '"') return at + 1
    if (char < ' ') return { offset: at, message: 'a line break or control character inside a string' }
    if (char !== '\\') continue
    const written = /^\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/.exec(text.slice(at, at + 6))
    if (written === null && at + 6 > text.length && /^\\(?:u[\dA-Fa-f]*)?$/.test(text.slice(at))) break
    if (written === null)
      return { offset: at, message: 'a backslash that does not begin an escape (write two for one)' }
    at += written[0].length - 1
  }
  return tooEarly(text)
}

/** Values of other notations, and their JSON counterparts. */
const jsonCounterparts: Readonly<Record<string, string>> = {
  NaN: 'null',
  Infinity: 'null',
  '-Infinity': 'null',
  undefined: 'null',
  None: 'null',
  True: 'true',
  False: 'false',
}
const quotes = "'`‘’“”"
const maxShown = 40

function unexpected(text: string, offset: number, state: State, open: readonly string[]): JsonSyntaxError {
  const word = readWord(text, offset)
  if (isCutOff(text, offset, word, state)) return tooEarly(text)
  if (word.startsWith('//') || word.startsWith('/*') || word.startsWith('#')) {
    return { offset, message: 'a comment, which JSON does not allow' }
  }
  const shown = word === '"' ? `'"'` : `"${word.slice(0, maxShown)}"`
  const fix = findFix(text, offset, word, state, open)
  return { offset, message: `an unexpected ${shown}${fix && ` (${fix})`}` }
}

function findFix(text: string, offset: number, word: string, state: State, open: readonly string[]): string {
  const char = word[0] ?? ''
  if (state === 'nothing') return 'the payload has ended before it'
  if (quotes.includes(char)) return 'strings need double quotes'
  if (char === '}' || char === ']') {
    if (text.slice(0, offset).trimEnd().endsWith(',')) return 'the comma before it is one too many'
    if (state.endsWith('or end')) return `${open.at(-1) === '{' ? '}' : ']'} is missing before it`
  }
  if (state === 'colon') return 'a colon was expected'
  if (state === 'comma or end') return 'a comma is missing before it'
  if (takesName(state)) return 'a name in double quotes was expected'
  if (',:}]'.includes(char)) return 'a value is missing before it'
  const counterpart = Object.hasOwn(jsonCounterparts, word) ? jsonCounterparts[word] : undefined
  if (counterpart !== undefined) return `write ${counterpart}`
  if (/^[A-Za-z]|^\d{4}-\d/.test(word)) return 'strings need double quotes'
  return /^[-+.]*\d/.test(word) ? 'JSON writes numbers like 1, -0.5 or 2e3' : ''
}

/** True if the word at the very end may be the beginning of a value. */
function isCutOff(text: string, offset: number, word: string, state: State): boolean {
  if (!takesValue(state) || text.slice(offset).trimEnd().length > word.length) return false
  return ['true', 'false', 'null'].some((value) => value.startsWith(word)) || scalar.test(`${word}0`)
}

/** Returns a number, a bare word, or the single character at the offset. */
function readWord(text: string, offset: number): string {
  // A search for its end: a pattern for the word itself may need as much memory for going back as V8 allows.
  const rest = text.slice(offset)
  const length = rest.search(/[\s{}[\],:"'`‘’“”]/)
  if (length !== 0) return length < 0 ? rest : rest.slice(0, length)
  return String.fromCodePoint(text.codePointAt(offset) ?? 0x20)
}
