import { listWords } from '../../text/spelling.js'

/**
 * A subschema of a JSON Schema. `x-expected` describes its `pattern` or `format`: it completes "must be …", or "must
 * contain …" if it begins with "only" or "no".
 */
export type SchemaNode = Readonly<Record<string, unknown>>

/** Describes what a value must be, by the JSON Schema keyword that it breaks. Quotes only short words, in place of an enum's. */
export function describeViolation(keyword: string, node: SchemaNode, value: unknown): string {
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
  boolean: 'true or false',
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
