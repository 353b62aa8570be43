import type { TSchema } from 'typebox'
import { Compile, Errors, type Validator } from 'typebox/schema'
import { describeViolation, type SchemaNode } from './sentences.js'

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
  const { validator, hasArrays } = getChecker(schema)
  const tooLong = hasArrays ? findTooLong(schema as unknown as SchemaNode, value, '') : []
  if (tooLong.length > 0) return tooLong
  if (validator.Check(value)) return findNulCharacters(schema as unknown as SchemaNode, value, '')
  const [, errors] = Errors(schema, value)
  const violations = new Map<string, FieldViolation>()
  for (const { keyword, instancePath, schemaPath, params } of errors) {
    const node = findNode(schema, schemaPath)
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
        sentence: describeViolation(keyword, node, findValue(value, instancePath)),
      })
  }
  if (errors.length > 0 && violations.size === 0) {
    const path = errors.at(-1)?.instancePath ?? ''
    add({ path, rule: 'type', sentence: 'is not valid' })
  }
  // Violations of an object come before those of its members.
  return [...violations.values()].sort((one, other) => toTokens(one.path).length - toTokens(other.path).length)

  function add(violation: FieldViolation): void {
    if (!violations.has(violation.path)) violations.set(violation.path, violation)
  }
}

/** Finds arrays with so many items that nothing else is checked. */
function findTooLong(node: SchemaNode, value: unknown, path: string): FieldViolation[] {
  const { anyOf = [], items, properties = {}, maxItems = itemsAtMost } = node as ArrayKeywords
  const branches = anyOf.flatMap((branch) => findTooLong(branch, value, path))
  if (branches.length > 0) return branches.slice(0, 1)
  if (Array.isArray(value) && items !== undefined) {
    if (value.length > maxItems) {
      return [{ path, rule: 'maxItems', sentence: describeViolation('maxItems', { ...node, maxItems }, value) }]
    }
    return value.flatMap((item, index) => findTooLong(items, item, `${path}/${index}`))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .flatMap(([name, member]) => findTooLong(member, (value as SchemaNode)[name], `${path}/${name}`))
}

/** Finds strings with U+0000, which PostgreSQL does not store; they are refused on every database. */
function findNulCharacters(node: SchemaNode, value: unknown, path: string): FieldViolation[] {
  if (typeof value === 'string') {
    return value.includes('\0') ? [{ path, rule: 'nul', sentence: 'must not contain the character U+0000' }] : []
  }
  const { anyOf = [], items, properties = {} } = node as ArrayKeywords
  if (anyOf.length > 0) return anyOf.flatMap((branch) => findNulCharacters(branch, value, path))
  if (Array.isArray(value) && items !== undefined) {
    return value.flatMap((item, index) => findNulCharacters(items, item, `${path}/${index}`))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .flatMap(([name, member]) => findNulCharacters(member, (value as SchemaNode)[name], `${path}/${name}`))
}

/** The keywords of a schema that lead to arrays. */
interface ArrayKeywords {
  readonly anyOf?: readonly SchemaNode[]
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly maxItems?: number
}

function findNode(schema: TSchema, schemaPath: string): SchemaNode {
  return toTokens(schemaPath.slice(1)).reduce<SchemaNode>(
    (node, token) => (node[token] ?? {}) as SchemaNode,
    schema as unknown as SchemaNode,
  )
}

function findValue(value: unknown, path: string): unknown {
  return toTokens(path).reduce<unknown>((member, token) => (member as SchemaNode | undefined)?.[token], value)
}

function toTokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
