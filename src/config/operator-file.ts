import { readFileSync } from 'node:fs'
import { evaluate, parse } from '@humanwhocodes/momoa'
import { type Static, type TSchema, Type } from 'typebox'
import { Errors } from 'typebox/schema'
import { SvcError } from '../errors.js'
import { type ConfiguredAlias, configuredAliases } from '../ports/models.js'
import { quote } from '../spelling.js'
import { describeFound, expect, type Fault, unknownName } from './faults.js'
import { budgetForm } from './money.js'

/** `x-expected` says in words what a value must be. */
const text = (expected: string) => Type.String({ minLength: 1, maxLength: 2048, 'x-expected': expected })
const closed = { additionalProperties: false }

const ModelEntry = Type.Object(
  {
    model: text('"stub" or a provider and its model, such as "openai:gpt-image-1.5"'),
    apiKey: Type.Optional(text('the name of a variable, such as "env:OPENAI_API_KEY"')),
    baseUrl: Type.Optional(text('an address, such as "https://models.example.com/v1"')),
    slots: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, 'x-expected': 'a whole number from 1 to 1000, such as 4' }),
    ),
    price: Type.Optional(text('a price, such as "0.04usd/image"')),
    options: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { 'x-expected': 'an object of what the model itself takes' }),
    ),
  },
  { ...closed, 'x-expected': 'a text such as "openai:gpt-image-1.5", or an object with `model`' },
)

const Models = Type.Object(
  { 'svc-avatar': ModelEntry, 'svc-animation': ModelEntry } satisfies Record<ConfiguredAlias, TSchema>,
  { ...closed, 'x-expected': 'an object with a model for each alias' },
)

const OperatorFile = Type.Object(
  {
    $schema: Type.Optional(text('an address')),
    models: Models,
    budgets: Type.Optional(
      Type.Object({ perPet: Type.Optional(text(budgetForm)) }, { ...closed, 'x-expected': 'an object with `perPet`' }),
    ),
  },
  { ...closed, 'x-expected': 'an object with `models`' },
)

export type ModelEntry = Static<typeof ModelEntry>
export type OperatorFile = Static<typeof OperatorFile> & {
  /** The aliases whose model is written as a text alone. */
  readonly short: readonly string[]
}

/**
 * The operator's file, of the right shape: JSON with comments and trailing commas. What its values say is not looked at.
 * Throws `invalid_request` that names the file and each fault by its JSON Pointer.
 */
export function readOperatorFile(
  file: string,
  content: string = readText(file),
  refuse = (faults: readonly Fault[]) => refuseFile(file, faults),
): OperatorFile {
  const { value, short } = spellOut(parseContent(file, content))
  const faults = findFaults(value)
  if (faults.length > 0) throw refuse(faults)
  return { ...(value as Static<typeof OperatorFile>), short }
}

export function refuseFile(file: string, faults: readonly Fault[]): SvcError {
  const sentences = faults.map(({ path, sentence }) => `${path === '' ? 'the file' : path} ${sentence}`)
  return new SvcError('invalid_request', `${file} is not valid: ${sentences.join('; ').replace(/([^.?])$/, '$1.')}`)
}

function parseContent(file: string, content: string): unknown {
  try {
    return evaluate(parse(content, { mode: 'jsonc', allowTrailingCommas: true }))
  } catch (error) {
    // The parser's own words, which may quote the file, are not shown.
    const { line, column } = error as { line?: number; column?: number }
    const place = line === undefined ? '' : ` at line ${line}, column ${column}`
    throw new SvcError('invalid_request', `${file} is not valid JSON${place}; comments and trailing commas are fine.`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const fix = isMissing
      ? `svc init --config ${quote(file)} writes it, and --config or SVC_CONFIG names another`
      : 'it cannot be read'
    throw new SvcError('not_found', `There is no configuration ${file}: ${fix}.`, { cause })
  }
}

/** A model may be written as a text alone. */
function spellOut(value: unknown): { readonly value: unknown; readonly short: readonly string[] } {
  if (!isObject(value) || !isObject(value.models)) return { value, short: [] }
  const entries = Object.entries(value.models)
  const models = entries.map(([alias, entry]) => [alias, typeof entry === 'string' ? { model: entry } : entry])
  const short = entries.flatMap(([alias, entry]) => (typeof entry === 'string' ? alias : []))
  return { value: { ...value, models: Object.fromEntries(models) }, short }
}

/** The faults of a file's shape, one at most for each place. */
function findFaults(value: unknown): Fault[] {
  const [, errors] = Errors(OperatorFile, value)
  const faults = new Map<string, Fault>()
  const add = (path: string, sentence: string) => faults.has(path) || faults.set(path, { path, sentence })
  for (const { keyword, instancePath, schemaPath, params } of errors) {
    const node = at(OperatorFile, schemaPath.slice(1).split('/').slice(1))
    const found = at(value, instancePath.split('/').slice(1))
    const { requiredProperties = [], additionalProperties = [] } = params as Partial<Record<string, string[]>>
    const known = Object.keys((node.properties ?? {}) as object)
    // A name that is nearly known explains why that one is missing.
    const strange = isObject(found) ? Object.keys(found).filter((name) => !known.includes(name)) : []
    if (keyword === 'required') {
      if (strange.length > 0) continue
      for (const name of requiredProperties) add(`${instancePath}/${name}`, describeMissing(node, name))
    } else if (keyword === 'additionalProperties') {
      for (const name of additionalProperties) add(`${instancePath}/${shorten(name)}`, unknownName(name, known))
    } else if (keyword !== 'boolean') {
      add(instancePath, expect(found, String(node['x-expected'] ?? 'of another form')))
    }
  }
  if (errors.length > 0 && faults.size === 0)
    add('', `is ${describeFound(value)}; it must be an object with \`models\``)
  return [...faults.values()]
}

function describeMissing(node: Readonly<Record<string, unknown>>, name: string): string {
  if (name in configuredAliases) return 'is missing; name its model, or "stub" for the built-in drawings'
  return expect(undefined, String(at(node, ['properties', name])['x-expected'] ?? name))
}

/** A name out of the file, which may be a key pasted in the wrong place. */
const shorten = (name: string) => (/^[\w$-]{1,24}$/.test(name) ? name : `…(${name.length} characters)`)

function at(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  const found = names.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value)
  return found as Readonly<Record<string, unknown>>
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
