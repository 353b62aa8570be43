import type { PayloadShape, ShapeOf } from './shape.js'

/** A value that a payload may have, in one place of it. All have one form: V8 finds the properties of one soonest. */
export interface Part {
  /** Of the member that holds it. */
  readonly name: string
  /** JSON Pointer of it; an element has that of its array. */
  readonly path: string
  /** Index of the cell that it is read into; of an element that of the first one. */
  readonly cell: number
  /** Of a choice. */
  readonly choices: readonly string[]
  /** Of a text that is not free: whether it is as long as it must be, and matches its pattern. */
  readonly accepts: ((text: string) => boolean) | undefined
  /** Of an array. */
  readonly element: Part | undefined
  /** Of an object, in the order of its shape. */
  readonly members: readonly Part[]
  /** An object with these members, to copy. */
  readonly template: Readonly<Record<string, unknown>>
  /** Of an element: the cells of its numbers. The first member of a day is its date, and the others are numbers. */
  readonly numberCells: readonly number[]
}

export function createPart(
  path: string,
  shape: PayloadShape,
  cell: number,
  { element, members = [] }: Partial<Pick<Part, 'element' | 'members'>> = {},
): Part {
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    cell,
    choices: shape.kind === 'choice' ? shape.values : [],
    accepts: shape.kind === 'text' ? toAccepts(shape) : undefined,
    element,
    members,
    template: Object.fromEntries(members.map((member) => [member.name, undefined])),
    numberCells: shape.kind === 'number' ? [cell] : members.slice(1).map((member) => member.cell),
  }
}

/** A check that remembers what it accepted last: the same dates come again and again. */
function toAccepts({ minLength, maxLength, pattern }: ShapeOf<'text'>): Part['accepts'] {
  if (minLength === 0 && maxLength === null && pattern === null) return undefined
  const most = maxLength ?? Number.POSITIVE_INFINITY
  const expression = pattern === null ? undefined : new RegExp(pattern, 'u')
  let accepted: string | undefined
  return (text) => {
    if (text === accepted) return true
    // Counts UTF-16 units: a text never has fewer units than characters, and has a unit if it has a character.
    if (text.length < minLength || text.length > most || expression?.test(text) === false) return false
    accepted = text
    return true
  }
}
