import type { TSchema } from 'typebox'
import { Compile, Errors, type Validator } from 'typebox/schema'
import { findAt, readPointer } from '../../text/json-location.js'
import { listWords } from '../../text/spelling.js'

/** A field that breaks its schema: its JSON Pointer, the keyword that it breaks, and a sentence for the caller. */
export interface FieldViolation {
  readonly path: string
  readonly rule: string
  readonly sentence: string
}

/** For an array without a limit of its own; no route needs more. The check for duplicates takes the square of the length. */
const itemsAtMost = 100

/** A validator takes a hundredth of the time of finding the errors; nearly every value is valid. */
const checkers = new WeakMap<TSchema, { readonly validator: Validator; readonly hasArrays: boolean }>()

function getChecker(schema: TSchema) {
  let checker = checkers.get(schema)
  if (checker === undefined) {
    checker = { validator: Compile(schema), hasArrays: hasArrays(schema as unknown as SchemaNode) }
    checkers.set(schema, checker)
  }
  return checker
}

function hasArrays(node: SchemaNode): boolean {
  const { anyOf = [], items, properties = {} } = node as ArrayKeywords
  return items !== undefined || anyOf.some(hasArrays) || Object.values(properties).some(hasArrays)
}

/** Returns the violations of `value`, at most one a field. Callers load this module late: its library takes 10 ms to load. */
export function findViolations(schema: TSchema, value: unknown): FieldViolation[] {
  try {
    return findAll(schema, value)
  } catch (error) {
    // The stack ends: duplicates are looked for in all that is below an item.
    if (!(error instanceof RangeError)) throw error
    return [{ path: '', rule: 'depth', sentence: 'is nested too deeply' }]
  }
}

function findAll(schema: TSchema, value: unknown): FieldViolation[] {
  const { validator, hasArrays } = getChecker(schema)
  const root = schema as unknown as SchemaNode
  const tooLong = hasArrays ? search(root, value, '', findTooLong) : []
  if (tooLong.length > 0) return tooLong
  if (validator.Check(value)) return search(root, value, '', findNulCharacter)
  const [, errors] = Errors(schema, value)
  const violations = new Map<string, FieldViolation>()
  for (const { keyword, instancePath, schemaPath, params } of errors) {
    // It begins with `#`.
    const node = (findAt(schema, schemaPath.slice(1)) ?? {}) as SchemaNode
    // The branches of `anyOf` report their own errors; "must be null" is not an error of a nullable field.
    if (keyword === 'anyOf' || (keyword === 'type' && node.type === 'null')) continue
    if (keyword === 'required') {
      const { requiredProperties = [] } = params as { requiredProperties?: readonly string[] }
      for (const name of requiredProperties)
        add({ path: `${instancePath}/${name}`, rule: keyword, sentence: 'is missing' })
    } else
      add({
        path: instancePath,
        rule: keyword,
        sentence: describeViolation(keyword, node, findAt(value, instancePath)),
      })
  }
  if (errors.length > 0 && violations.size === 0) {
    const path = errors.at(-1)?.instancePath ?? ''
    add({ path, rule: 'type', sentence: 'is not valid' })
  }
  // Violations of an object come before those of its members.
  return [...violations.values()].sort((one, other) => readPointer(one.path).length - readPointer(other.path).length)

  function add(violation: FieldViolation): void {
    if (!violations.has(violation.path)) violations.set(violation.path, violation)
  }
}

/** Returns the defect of a value, as the rest of a violation. */
type DescribeDefect = (node: SchemaNode, value: unknown) => Omit<FieldViolation, 'path'> | undefined

/** Searches a value and its declared members and items; not those of a value with a defect. */
function search(node: SchemaNode, value: unknown, path: string, describeDefect: DescribeDefect): FieldViolation[] {
  const { anyOf = [], items, properties = {} } = node as ArrayKeywords
  const defect = describeDefect(node, value)
  if (defect !== undefined) return [{ path, ...defect }]
  if (anyOf.length > 0) return anyOf.flatMap((branch) => search(branch, value, path, describeDefect))
  if (Array.isArray(value) && items !== undefined) {
    return value.flatMap((item, index) => search(items, item, `${path}/${index}`, describeDefect))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .flatMap(([name, member]) => search(member, (value as SchemaNode)[name], `${path}/${name}`, describeDefect))
}

/** Finds an array with so many items that nothing else is checked. */
function findTooLong(node: SchemaNode, value: unknown) {
  const { items, maxItems = itemsAtMost } = node as ArrayKeywords
  if (!Array.isArray(value) || items === undefined || value.length <= maxItems) return undefined
  return { rule: 'maxItems', sentence: describeViolation('maxItems', { ...node, maxItems }, value) }
}

/** Finds a string with U+0000, which PostgreSQL does not store; it is refused on every database. */
function findNulCharacter(_: SchemaNode, value: unknown) {
  if (typeof value !== 'string' || !value.includes('\0')) return undefined
  return { rule: 'nul', sentence: 'must not contain the character U+0000' }
}

/** The keywords of a schema that lead to arrays. */
interface ArrayKeywords {
  readonly anyOf?: readonly SchemaNode[]
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly maxItems?: number
}

/**
 * A subschema of a JSON Schema. `x-expected` describes its `pattern` or `format`: it completes "must be …", or "must
 * contain …" if it begins with "only" or "no".
 */
type SchemaNode = Readonly<Record<string, unknown>>

/** Describes what a value must be, by the JSON Schema keyword that it breaks. Quotes only short words, in place of an enum's. */
function describeViolation(keyword: string, node: SchemaNode, value: unknown): string {
  return sentences[keyword]?.(node, value) ?? 'is not valid'
}

type WriteSentence = (node: SchemaNode, value: unknown) => string

const sentences: Readonly<Record<string, WriteSentence>> = {
  type: (node) => `must be ${describeType(node)}`,
  enum: ({ enum: words }, value) =>
    `must be ${listWords((words as readonly unknown[]).map(String), 'or')}${describeWord(value)}`,
  const: ({ const: word }) => `must be ${word}`,
  minimum: (node) => `must be ${describeType(node)}`,
  maximum: (node) => `must be ${describeType(node)}`,
  minLength: ({ minLength }) => (minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`),
  maxLength: ({ maxLength }, value) => `must have at most ${maxLength} characters; it has ${[...String(value)].length}`,
  pattern: (node, value) => `${describeExpected(node)}${describeCharacter(node, String(value))}`,
  format: describeExpected,
  minItems: describeCount,
  maxItems: describeCount,
  uniqueItems: () => 'must not contain duplicates',
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
}

function describeExpected({ 'x-expected': expected, pattern, format }: SchemaNode): string {
  if (expected === undefined)
    return format === undefined ? `must match the pattern ${pattern}` : `must be a valid ${format}`
  return /^(only|no) /.test(String(expected)) ? `must contain ${expected}` : `must be ${expected}`
}

function describeWord(value: unknown): string {
  return typeof value === 'string' && /^[\w-]{1,32}$/.test(value) ? `, not ${value}` : ''
}

function describeType(node: SchemaNode): string {
  const { type, minimum, maximum } = node
  const word = typeWords[String(type)] ?? String(type)
  if (minimum === undefined) return maximum === undefined ? word : `${word} of at most ${maximum}`
  return maximum === undefined ? `${word} of at least ${minimum}` : `${word} from ${minimum} to ${maximum}`
}

function describeCount({ minItems, maxItems }: SchemaNode): string {
  if (minItems === undefined) return `must have at most ${maxItems} items`
  if (maxItems !== undefined) return `must have ${minItems} to ${maxItems} items`
  return minItems === 1 ? 'must not be empty' : `must have at least ${minItems} items`
}

/** Names the first character that a pattern of the form `^[…]+$` does not allow. */
function describeCharacter({ pattern }: SchemaNode, value: string): string {
  const [, allowed] = /^\^(\[[^\]]+\])[+*]\$$/.exec(String(pattern)) ?? []
  if (allowed === undefined) return ''
  const isAllowed = new RegExp(allowed, 'u')
  const at = [...value].findIndex((character) => !isAllowed.test(character))
  const character = [...value][at]
  return character === undefined ? '' : `; character ${at + 1} is ${nameCharacter(character)}`
}

function nameCharacter(character: string): string {
  if (character === ' ') return 'a space'
  // Control characters and those that look like nothing.
  if (/[\p{C}\p{Z}\p{M}]/u.test(character)) {
    return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  }
  return `“${character}”`
}
