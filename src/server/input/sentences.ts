/** A part of a JSON Schema. `x-expected` says in words what its `pattern` takes. */
export type Node = Readonly<Record<string, unknown>>

/** What a value must be, in words, by the keyword of JSON Schema that it breaks. None quotes the value. */
export function describeFault(keyword: string, node: Node, value: unknown): string {
  return sentences[keyword]?.(node, value) ?? 'is not valid'
}

type Sentence = (node: Node, value: unknown) => string

const sentences: Readonly<Record<string, Sentence>> = {
  type: (node) => `must be ${describeType(node)}`,
  enum: ({ enum: words }) => `must be ${listWords(words as readonly unknown[])}`,
  const: ({ const: word }) => `must be ${word}`,
  minimum: (node) => `must be ${describeType(node)}`,
  maximum: (node) => `must be ${describeType(node)}`,
  minLength: ({ minLength }) => (minLength === 1 ? 'must not be empty' : `must have ${minLength} characters or more`),
  maxLength: ({ maxLength }, value) => `must have ${maxLength} characters at most; it has ${[...String(value)].length}`,
  pattern: (node, value) => `must have ${node['x-expected'] ?? 'another form'}${describePlace(node, String(value))}`,
  format: (node) => `must be ${node['x-expected'] ?? 'of another form'}`,
  minItems: describeCount,
  maxItems: describeCount,
  uniqueItems: () => 'must not hold anything twice',
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function describeType(node: Node): string {
  const { type, minimum, maximum } = node
  const word = typeWords[String(type)] ?? String(type)
  if (minimum === undefined) return maximum === undefined ? word : `${word} of ${maximum} at most`
  return maximum === undefined ? `${word} of ${minimum} or more` : `${word} from ${minimum} to ${maximum}`
}

function describeCount({ minItems, maxItems }: Node): string {
  if (minItems === undefined) return `must have ${maxItems} items at most`
  if (maxItems !== undefined) return `must have ${minItems} to ${maxItems} items`
  return minItems === 1 ? 'must not be empty' : `must have ${minItems} items or more`
}

/** Where the first character stands that a pattern of the form `^[…]+$` does not allow. */
function describePlace({ pattern }: Node, value: string): string {
  const [, allowed] = /^\^(\[[^\]]+\])[+*]\$$/.exec(String(pattern)) ?? []
  if (allowed === undefined) return ''
  const isAllowed = new RegExp(allowed, 'u')
  const at = [...value].findIndex((character) => !isAllowed.test(character))
  const character = [...value][at]
  return character === undefined ? '' : `; it has ${nameCharacter(character)} at ${at + 1}`
}

function nameCharacter(character: string): string {
  if (character === ' ') return 'a space'
  // Controls and what cannot be told from them by eye.
  if (/[\p{C}\p{Z}\p{M}]/u.test(character)) {
    return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  }
  return `“${character}”`
}

function listWords(words: readonly unknown[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
