import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCodeModule from 'ajv/dist/standalone/index.js'
import { nameMember } from '../insight/describe-value.js'
import { envelopeSchema, metricSchemas, type StructuralRule, windowSchemas } from '../insight/schema.js'
import type { Rule } from '../insight/types.js'
import { listWords } from '../text/spelling.js'
import { type Member, mapSchema, ruleIdOf, type Schema } from './schema-tools.js'

// The package is CommonJS: seen from an ES module its default export sits one level deeper than its types say.
const standaloneCode = standaloneCodeModule.default

/**
 * The source of `src/generated/validators.ts`: the structure of payloads compiled to functions, the tree of member names,
 * and the rules that the structure checks. A payload is checked by three functions (envelope, metric, metric and window), so that nothing is compiled
 * twice.
 */
export async function generateValidators(): Promise<string> {
  const parts: Readonly<Record<string, object>> = {
    envelope: envelopeSchema,
    ...Object.fromEntries(Object.entries(metricSchemas).map(([name, schema]) => [`metric-${name}`, schema])),
    ...windowSchemas,
  }
  const schemas = Object.fromEntries(
    Object.entries(parts).map(([name, schema]) => [name, mapSchema(schema, toCompiled)]),
  )
  // `verbose` adds to each error the schema that it breaks, which names the rule and what it expects.
  const ajv = new Ajv2020({ allErrors: true, messages: false, verbose: true, code: { source: true, esm: true } })
  ajv.addVocabulary(['expected', 'missing'])
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name)
  const names = Object.fromEntries(Object.keys(schemas).map((name) => [toVariable(name), name]))
  const memberNames = collectMemberNames()
  return [
    '// @ts-nocheck',
    "import ucs2length from 'ajv/dist/runtime/ucs2length.js'",
    "import { hasAtMost, isKnown } from '../insight/known-member-checks.js'",
    // Ajv writes a call of `require` also into an ES module.
    standaloneCode(ajv, names).replaceAll('require("ajv/dist/runtime/ucs2length")', 'ucs2length'),
    `export const metricValidators = ${toTable(Object.keys(metricSchemas), 'metric-')}`,
    `export const windowValidators = ${toTable(Object.keys(windowSchemas), '')}`,
    `export const memberNames = ${JSON.stringify(memberNames)}`,
    toKnownChecks(memberNames),
    `export const structuralRules = ${JSON.stringify(Object.fromEntries(Object.values(parts).flatMap((part) => listRules(part))))} as const`,
    '',
  ].join('\n')
}

/** Descriptions are for readers; instead each node gets the words a message uses for what it asks. */
function toCompiled({ description: _, ...node }: Schema): Schema {
  if (node.$comment === undefined) return node
  return {
    ...node,
    $comment: ruleIdOf(node.$comment),
    ...(node.missing !== undefined && { missing: ruleIdOf(node.missing) }),
    expected: describe(node),
  }
}

/** The rules that a node and those below it state. */
function listRules(node: Schema, path = ''): readonly (readonly [id: string, rule: Rule])[] {
  const own = [node.$comment, node.missing].filter((rule) => typeof rule === 'object')
  return [
    ...own.map((rule) => [rule.id, toRule(rule, node, path)] as const),
    ...Object.entries(node.properties ?? {}).flatMap(([name, child]) => listRules(child, `${path}/${name}`)),
    ...[node.items, node.then].flatMap((child) => (child === undefined ? [] : listRules(child, path))),
  ]
}

function toRule(rule: StructuralRule, node: Schema, path: string): Rule {
  const { id, section = '', sentence = '{member} is {expected}.' } = rule
  const nest = (value: unknown) =>
    path
      .split('/')
      .slice(1)
      .reduceRight((nested, name) => ({ [name]: nested }), value)
  const [good, bad] = 'values' in rule ? rule.values.map(nest) : [rule.good, rule.bad]
  const said = sentence.replace('{member}', nameMember(path)).replace('{expected}', describe(node))
  return { id, severity: 'error', section, sentence: said, good, bad }
}

function describe(node: Schema): string {
  if (node.expected !== undefined) return node.expected
  if ('const' in node) return JSON.stringify(node.const)
  if (node.enum !== undefined)
    return listWords(
      node.enum.map((value) => JSON.stringify(value)),
      'or',
    )
  if (node.minLength === 1) return 'a string that is not empty'
  if (node.maxLength !== undefined) return `a string of at most ${node.maxLength} characters`
  const types = [node.type ?? []].flat()
  const members = nameMembers(node)
  if (members !== '') return `an object with ${members}${types.includes('null') ? ', or null' : ''}`
  if (node.minimum !== undefined) {
    return `${typeWords[types[0] ?? '']} of ${node.minimum} or more${types.includes('null') ? ', or null' : ''}`
  }
  return listWords(
    types.map((type) => typeWords[type] ?? type),
    'or',
  )
}

/** The members an object must have; where it may leave them all out, those it has, or two of many. */
function nameMembers({ properties = {}, required = [] }: Schema): string {
  const names = Object.keys(properties)
  if (required.length > 1) return listWords(required, 'and')
  return names.length > 3 ? `members such as ${listWords(names.slice(0, 2), 'and')}` : listWords(names, 'and')
}

const typeWords: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
}

/** Every member name by metric and kind of window, as a tree; an array has the members of its elements. */
function collectMemberNames(): Record<string, Member> {
  const metricOf = (name: string) => name.replace(/-.*/, '').replace(/^(hr|hrv|rr)$/, 'vital')
  return Object.fromEntries(
    Object.entries(windowSchemas).map(([name, schema]) => [
      name,
      [envelopeSchema, metricSchemas[metricOf(name) as keyof typeof metricSchemas], schema]
        .map((part) => toMember(part as Schema))
        .reduce(mergeMembers),
    ]),
  )
}

/**
 * Generates the checks that an object has only known members, at every level: one function for each place, by the names
 * known there. Most payloads pass this check, so they are not searched name by name.
 */
function toKnownChecks(trees: Readonly<Record<string, Member>>): string {
  const functions = new Map<string, string>()
  const checks = Object.entries(trees).map(
    ([name, tree]) => `${JSON.stringify(name)}: ${toKnownCheck(tree, functions)}`,
  )
  return [...functions.values(), `export const knownChecks = { ${checks.join(', ')} }`].join('\n')
}

/** The name of the function for a place; it and those for the places below it are added where they are missing. */
function toKnownCheck(member: Member, functions: Map<string, string>): string {
  const members = Object.entries(member ?? {})
  const present = members.map(([name]) => `(members.${name} === undefined ? 0 : 1)`).join(' + ')
  const below = members
    .filter(([, child]) => child !== null)
    .map(([name, child]) => ` && isKnown(members.${name}, ${toKnownCheck(child, functions)})`)
  const code = `(members) => hasAtMost(members, ${present}, ${members.length})${below.join('')}`
  const variable = [...functions.keys()].indexOf(code)
  if (variable >= 0) return `known${variable}`
  functions.set(code, `const known${functions.size} = ${code}`)
  return `known${functions.size - 1}`
}

function toMember(schema: Schema): Member {
  const parts = [schema, schema.items, schema.then].filter((part) => part !== undefined)
  const members = parts.flatMap((part) => Object.entries(part.properties ?? {}))
  if (members.length === 0) return null
  return members.map(([name, child]): Member => ({ [name]: toMember(child) })).reduce(mergeMembers, null)
}

function mergeMembers(one: Member, other: Member): Member {
  if (one === null || other === null) return one ?? other
  const merged = { ...one }
  for (const [name, child] of Object.entries(other)) merged[name] = mergeMembers(one[name] ?? null, child)
  return merged
}

const toVariable = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const toTable = (names: readonly string[], prefix: string) =>
  `{ ${names.map((name) => `'${name}': ${toVariable(prefix + name)}`).join(', ')} }`
