import type { Schema } from '../schema-tools.js'
import { code, inline } from './html.js'

/** A JSON Schema, with the keywords of the contract. */
export interface DocumentedSchema extends Schema {
  readonly $id?: string
  readonly anyOf?: readonly DocumentedSchema[]
  readonly properties?: Readonly<Record<string, DocumentedSchema>>
  readonly items?: DocumentedSchema
  readonly default?: unknown
  readonly format?: string
  /** The schema that applies under a condition. */
  readonly then?: DocumentedSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly 'x-expected'?: string
}

interface Field {
  readonly name: string
  readonly node: DocumentedSchema
  readonly isRequired: boolean
}

/** Returns a link to the fields of a named schema, or undefined if they are shown in place. */
type FindLink = (id: string) => string | undefined

/** Lists the fields of an object and its nested objects as table cells: name, type, required or optional, meaning. */
export function listFields(node: DocumentedSchema, kind: 'request' | 'answer', findLink: FindLink): string[][] {
  return flatten(node, '', findLink).map(({ name, node: field, isRequired }) => {
    const meaning = describe(field, findLink)
    const need = isRequired && field.default === undefined ? 'required' : 'optional'
    return kind === 'request' ? [code(name), nameType(field), need, meaning] : [code(name), nameType(field), meaning]
  })
}

export const requestColumns = ['Field', 'Type', 'Required', 'Meaning']
export const answerColumns = ['Field', 'Type', 'Meaning']

function flatten(node: DocumentedSchema, prefix: string, findLink: FindLink): Field[] {
  const { properties = {}, required = [] } = node
  return collapsePoses(Object.entries(properties)).flatMap(([name, member]) => {
    const field: Field = { name: `${prefix}${name}`, node: member, isRequired: required.includes(name) }
    return [field, ...flattenMembers(field, findLink)]
  })
}

function flattenMembers({ name, node }: Field, findLink: FindLink): Field[] {
  const object = withoutNull(node)
  if (object.$id !== undefined && findLink(object.$id) !== undefined) return []
  if (object.properties !== undefined) return flatten(object, `${name}.`, findLink)
  const items = object.items === undefined ? undefined : withoutNull(object.items)
  if (items?.properties === undefined || (items.$id !== undefined && findLink(items.$id) !== undefined)) return []
  return flatten(items, `${name}[].`, findLink)
}

/** Merges the four poses, whose members are equal, into one line. */
function collapsePoses(members: [string, DocumentedSchema][]): [string, DocumentedSchema][] {
  const [first, ...others] = members
  if (first?.[0] !== 'lying' || others.some(([, node]) => node !== first[1])) return members
  return [['*', { ...first[1], description: 'By pose: `lying`, `sitting`, `walking`, `running`.' }]]
}

/** Returns the alternative that is not null, with the surrounding keywords. */
function withoutNull({ anyOf, ...node }: DocumentedSchema): DocumentedSchema {
  const others = anyOf?.filter(({ type }) => type !== 'null')
  if (anyOf === undefined || others?.length !== 1) return anyOf === undefined ? node : { ...node, anyOf }
  return { ...others[0], ...node }
}

const isNullable = ({ anyOf = [], type, enum: values = [] }: DocumentedSchema) =>
  anyOf.some((node) => node.type === 'null') || (Array.isArray(type) && type.includes('null')) || values.includes(null)

function nameType(node: DocumentedSchema): string {
  const inner = withoutNull(node)
  const name = nameInner(inner)
  return isNullable(node) && name !== 'null' ? `${name.replace(' or ', ', ')} or null` : name
}

function nameInner(node: DocumentedSchema): string {
  const { const: only, enum: values, type, items, anyOf, format, pattern = '' } = node
  if (only !== undefined) return code(String(only))
  if (values !== undefined)
    return values
      .filter((value) => value !== null)
      .map((value) => code(String(value)))
      .join(', ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(nameInner))].filter((name) => name !== 'null').join(' or ')
  if (items !== undefined) {
    const { enum: choices } = withoutNull(items)
    return `array of ${choices === undefined ? plural(nameType(items)) : nameInner(withoutNull(items))}`
  }
  if (format === 'date-time' || pattern.includes('[Tt ]')) return 'time'
  if (format === 'date' || /^\^\\d\{4\}-\\d/.test(pattern)) return 'date'
  const names = [type ?? []].flat().filter((name) => name !== 'null')
  return names.length === 0
    ? type === 'null'
      ? 'null'
      : 'anything'
    : names.map((name) => words[name] ?? name).join(' or ')
}

const words: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
}

const plural = (name: string) => name.replace(/^(string|integer|number|object)\b/, (word) => `${word}s`)

/** Describes the meaning and the values of a field. References to the contract are removed, since readers do not have it. */
function describe(node: DocumentedSchema, findLink: FindLink): string {
  const inner = withoutNull(node)
  const named = inner.$id ?? (inner.items === undefined ? undefined : withoutNull(inner.items).$id)
  const link = named === undefined ? undefined : findLink(named)
  const description = (node.description ?? inner.description ?? '').replace(/ ?Health detail contract, [\d.]+\.$/, '')
  const sentences = [
    inline(description),
    describeLimits(inner),
    node.default === undefined ? '' : `Default: ${code(String(node.default))}.`,
    link === undefined ? '' : `Its fields: ${link}.`,
  ]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

function describeLimits(node: DocumentedSchema): string {
  const { minLength, maxLength, minItems, maxItems, uniqueItems } = node
  const { minimum, maximum } = node
  const limits = [
    ...(maxLength === undefined ? [] : [`${describeBounds(minLength, maxLength)} characters`]),
    ...(node['x-expected'] === undefined ? [] : [node['x-expected']]),
    ...(minimum === undefined && maximum === undefined ? [] : [describeBounds(minimum, maximum)]),
    ...(maxItems === undefined ? [] : [`${describeBounds(minItems, maxItems)} entries`]),
    ...(uniqueItems === true ? ['no duplicates'] : []),
  ]
  const text = limits.join('; ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function describeBounds(minimum: number | undefined, maximum: number | undefined): string {
  if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return `at least ${minimum}`
  return minimum === undefined ? `at most ${maximum}` : `${minimum} to ${maximum}`
}
