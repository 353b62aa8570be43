/**
 * The location of a value in a text. Lines and columns count from 1; a column counts UTF-16 code units, as editors and the
 * SARIF `columnKind` of our reports do. A line ends with a line feed.
 */
export interface Location {
  readonly line: number
  readonly column: number
}

/**
 * Returns the location of the value that a JSON Pointer names. `text` must be valid JSON and starts at `start`.
 * A missing member gives the location of its parent; of a duplicate name the last one counts, as in `JSON.parse`.
 */
export function locate(text: string, pointer: string, start: Location): Location {
  return toLocation(text, findOffset(text, pointer), start)
}

/** Returns the location of an offset into a text that starts at `start`. */
export function toLocation(text: string, offset: number, start: Location): Location {
  const lastLineFeed = offset === 0 ? -1 : text.lastIndexOf('\n', offset - 1)
  if (lastLineFeed === -1) return { line: start.line, column: start.column + offset }
  let line = start.line + 1
  for (let at = text.indexOf('\n'); at < lastLineFeed; at = text.indexOf('\n', at + 1)) line++
  return { line, column: offset - lastLineFeed }
}

/** Returns the offset of the value that a JSON Pointer names; see `locate`. */
export function findOffset(text: string, pointer: string): number {
  let offset = skipBlank(text, 0)
  for (const name of readPointer(pointer)) {
    const child = text[offset] === '{' ? findMember(text, offset, name) : findElement(text, offset, name)
    if (child === undefined) return offset
    offset = child
  }
  return offset
}

function findMember(text: string, object: number, name: string): number | undefined {
  let found: number | undefined
  for (const member of listMembers(text, object)) if (member.name === name) found = member.offset
  return found
}

/** A member of an object: its name, and the offsets at which its value begins and ends. */
export interface MemberSpan {
  readonly name: string
  readonly offset: number
  readonly end: number
}

/** Yields the members of the object that begins at an offset, in order; a duplicate name comes twice. */
export function* listMembers(text: string, object: number): Generator<MemberSpan> {
  let at = skipBlank(text, object + 1)
  while (text[at] === '"') {
    const nameEnd = skipString(text, at)
    const offset = skipBlank(text, skipBlank(text, nameEnd) + 1)
    const end = skipValue(text, offset)
    yield { name: JSON.parse(text.slice(at, nameEnd)), offset, end }
    at = skipBlank(text, skipBlank(text, end) + 1)
  }
}

function findElement(text: string, array: number, name: string): number | undefined {
  if (text[array] !== '[' || !/^(0|[1-9]\d*)$/.test(name)) return undefined
  let at = skipBlank(text, array + 1)
  for (let index = Number(name); index > 0 && text[at] !== ']' && at < text.length; index--) {
    const end = skipBlank(text, skipValue(text, at))
    if (text[end] !== ',') return undefined
    at = skipBlank(text, end + 1)
  }
  return text[at] === ']' ? undefined : at
}

/** Returns the offset of the next character that is not white space. */
export function skipBlank(text: string, offset: number): number {
  let at = offset
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

export function skipString(text: string, offset: number): number {
  let at = offset + 1
  while (text[at] !== '"' && at < text.length) at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** Returns the offset after the value that begins at `offset`. */
export function skipValue(text: string, offset: number): number {
  let at = offset
  let depth = 0
  do {
    const char = text[at]
    if (char === '"') at = skipString(text, at)
    else {
      if (char === '{' || char === '[') depth++
      else if (char === '}' || char === ']') depth--
      else if (depth === 0) return skipScalar(text, at)
      at++
    }
  } while (depth > 0 && at < text.length)
  return at
}

function skipScalar(text: string, offset: number): number {
  let at = offset
  while (at < text.length && !',]} \n\r\t'.includes(text[at] ?? '')) at++
  return at
}

/** Lists the names and indexes of a JSON Pointer. */
export function readPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Writes the JSON Pointer of names and indexes. */
export function toPointer(names: readonly (string | number)[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns the value at a JSON Pointer; `undefined` if there is no value. */
export function findAt(value: unknown, pointer: string): unknown {
  let found = value
  for (const name of readPointer(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}
