import { readFileSync } from 'node:fs'
import { evaluate, parse } from '@humanwhocodes/momoa'
import { type Static, type TSchema, Type } from 'typebox'
import { Errors } from 'typebox/schema'
import { SvcError } from '../errors.js'
import { type ConfiguredAlias, configuredAliases } from '../models/settings.js'
import { programName } from '../runtime/program-name.js'
import { findNearest, listWords, quote } from '../text/spelling.js'
import { budgetForm } from './money.js'

/** `x-expected` describes the value for error messages. */
const text = (expected: string) => Type.String({ minLength: 1, maxLength: 2048, 'x-expected': expected })
const closed = { additionalProperties: false }

const ModelEntry = Type.Object(
  {
    model: text('"stub" or a provider and its model, as svc provider list prints it'),
    apiKey: Type.Optional(text('the name of a variable, such as "env:OPENAI_API_KEY"')),
    baseUrl: Type.Optional(text('a URL, such as "https://models.example.com/v1"')),
    slots: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, 'x-expected': 'an integer from 1 to 1000, such as 4' }),
    ),
    poseReference: Type.Optional(Type.Boolean({ 'x-expected': 'a boolean' })),
    price: Type.Optional(text('a price, such as "0.04usd/image"')),
    options: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { 'x-expected': 'an object of options of the model' }),
    ),
  },
  { ...closed, 'x-expected': '"stub", a provider and its model, or an object with `model`' },
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
  /** The aliases whose model is written as a string. */
  readonly short: readonly string[]
}

/**
 * Reads the operator's file and checks its shape: JSON with comments and trailing commas. Does not interpret its
 * values.
 * Throws `invalid_request` that names the file and each problem by its JSON Pointer.
 */
export function readOperatorFile(
  file: string,
  content: string = readText(file),
  refuse = (problems: readonly ConfigProblem[]) => refuseFile(file, problems),
): OperatorFile {
  const { value, short } = spellOut(parseContent(file, content))
  const problems = findProblems(value)
  if (problems.length > 0) throw refuse(problems)
  return { ...(value as Static<typeof OperatorFile>), short }
}

export function refuseFile(file: string, problems: readonly ConfigProblem[]): SvcError {
  const sentences = problems.map(({ path, sentence }) => `${path === '' ? 'the file' : path} ${sentence}`)
  return new SvcError('invalid_request', `${file} is not valid: ${sentences.join('; ').replace(/([^.?])$/, '$1.')}`)
}

function parseContent(file: string, content: string): unknown {
  try {
    return evaluate(parse(content, { mode: 'jsonc', allowTrailingCommas: true }))
  } catch (error) {
    // The parser's message is not shown, because it may quote the file.
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
      ? `${programName()} init --config ${quote(file)} writes it, and --config or SVC_CONFIG names another`
      : 'it cannot be read'
    throw new SvcError('not_found', `There is no configuration ${file}: ${fix}.`, { cause })
  }
}

/** Expands models that are written as a string. */
function spellOut(value: unknown): { readonly value: unknown; readonly short: readonly string[] } {
  if (!isObject(value) || !isObject(value.models)) return { value, short: [] }
  const entries = Object.entries(value.models)
  const models = entries.map(([alias, entry]) => [alias, typeof entry === 'string' ? { model: entry } : entry])
  const short = entries.flatMap(([alias, entry]) => (typeof entry === 'string' ? alias : []))
  return { value: { ...value, models: Object.fromEntries(models) }, short }
}

/** Finds the problems of the file's shape, at most one per path. */
function findProblems(value: unknown): ConfigProblem[] {
  const [, errors] = Errors(OperatorFile, value)
  const problems = new Map<string, ConfigProblem>()
  const add = (path: string, sentence: string) => problems.has(path) || problems.set(path, { path, sentence })
  for (const { keyword, instancePath, schemaPath, params } of errors) {
    const node = at(OperatorFile, schemaPath.slice(1).split('/').slice(1))
    const found = at(value, instancePath.split('/').slice(1))
    const { requiredProperties = [], additionalProperties = [] } = params as Partial<Record<string, string[]>>
    const known = Object.keys((node.properties ?? {}) as object)
    // An unknown name next to a missing one is probably a misspelling, so only the unknown one is reported.
    const strange = isObject(found) ? Object.keys(found).filter((name) => !known.includes(name)) : []
    if (keyword === 'required') {
      if (strange.length > 0) continue
      for (const name of requiredProperties) add(`${instancePath}/${name}`, describeMissing(node, name))
    } else if (keyword === 'additionalProperties') {
      for (const name of additionalProperties) add(`${instancePath}/${shorten(name)}`, unknownName(name, known))
    } else if (keyword !== 'boolean') {
      add(instancePath, expect(found, String(node['x-expected'] ?? 'of another type')))
    }
  }
  if (errors.length > 0 && problems.size === 0)
    add('', `is ${describeFound(value)}; it must be an object with \`models\``)
  return [...problems.values()]
}

function describeMissing(node: Readonly<Record<string, unknown>>, name: string): string {
  if (name in configuredAliases) return 'is missing; name its model, or "stub" for the built-in drawings'
  return expect(undefined, String(at(node, ['properties', name])['x-expected'] ?? name))
}

/** Shortens a name of the file, which may be a key pasted in the wrong place. */
const shorten = (name: string) => (/^[\w$-]{1,24}$/.test(name) ? name : `…(${name.length} characters)`)

function at(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  const found = names.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value)
  return found as Readonly<Record<string, unknown>>
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A problem of the operator's file: a JSON Pointer, and the rest of the sentence. */
export interface ConfigProblem {
  readonly path: string
  readonly sentence: string
}

const charactersShown = 60
/** Matches API keys of providers: a known prefix, or a long text without words. */
const keyLike = /^(?:sk|pk|rk|r8|key|fal|AIza|Bearer)[-_ A-Z0-9]|[\w+/=-]{28,}|[0-9a-f]{16}/i

/** Describes a value in a message. A possible key is not shown. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  const text = String(value)
  return text.length > charactersShown || keyLike.test(text)
    ? `a string of ${text.length} characters`
    : JSON.stringify(text)
}

/** Returns `is X; it must be Y` for a value that is not the expected one. */
export function expect(value: unknown, expected: string): string {
  return `is ${describeFound(value)}; it must be ${expected}`
}

/** Returns `is not known; did you mean …?` for a name that is not in a list. */
export function unknownName(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  return `is not known; ${nearest === undefined ? `it takes ${listWords(known, 'or')}` : `did you mean ${JSON.stringify(nearest)}?`}`
}
