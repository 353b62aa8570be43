import type { H3Event } from 'h3'
import type { TObject, TSchema } from 'typebox'
import type { Route } from '../../contract/route.js'
import { SvcError } from '../../errors.js'
import { nameMember } from '../../insight/describe-value.js'
import { isJsonObject } from '../../insight/json-object.js'
import type { RuleHit } from '../../log/request-log.js'
import type { FieldViolation } from './field-violations.js'
import { findFormViolation, isForm, readForm, skipForm, type UploadLimits } from './form.js'
import { type BodyRule, InvalidBody, readJsonText, unreadableBody } from './json-body.js'

/** The input of a call, as its route declares it. */
export interface Input {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly files?: Readonly<Record<string, Buffer>>
  /** Warnings about an accepted body, for the log. */
  readonly warnings?: readonly RuleHit[]
  /** Frees the memory share of the files. */
  readonly release?: () => void
}

let checker: typeof import('./field-violations.js') | undefined

/** True if a route declares more than a body that its handler checks. */
export function isChecked({ params, query, body, check }: Route): boolean {
  return params !== undefined || query !== undefined || (body !== undefined && check === undefined)
}

/**
 * Reads and checks the declared input of a call. Throws `not_found` for a path parameter that is not valid, and
 * `unsupported_content_encoding` for a compressed body, and `InvalidBody` that names each invalid field and what it must be.
 */
export async function readInput(event: H3Event, route: Route, limits: UploadLimits): Promise<Input> {
  if (route.body !== undefined) requirePlain(event.req.headers)
  if (!isChecked(route)) return { body: route.body === undefined ? undefined : await readJsonText(event.req) }
  // Loaded with the first call that needs it, so that a server starts sooner.
  checker ??= await import('./field-violations.js')
  const { findViolations } = checker
  const violations: FieldViolation[] = []
  const check = (schema: TSchema, value: unknown) => violations.push(...findViolations(schema, value))

  const params = route.params === undefined ? undefined : decodeParams(event)
  if (params !== undefined && route.params !== undefined) {
    check(route.params, params)
    if (violations.length > 0)
      throw new SvcError('not_found', `There is nothing at this path: ${describe(violations)}.`)
  }

  const query = route.query === undefined ? undefined : readTexts(parseQuery(event.url.search), route.query, violations)
  if (query !== undefined && route.query !== undefined) check(route.query, query)

  const { body, files, warnings, release } = await readBody(event, route, limits, violations)
  try {
    if (route.body !== undefined && route.check === undefined) check(route.body, body)
    if (violations.length > 0) throw toInvalidBody(violations)
  } catch (error) {
    release?.()
    throw error
  }
  return { params, query, body, files, warnings, release }
}

function requirePlain(headers: Headers): void {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (/^(identity)?$/i.test(encoding)) return
  throw new SvcError(
    'unsupported_content_encoding',
    'The body must not be compressed: the only accepted Content-Encoding is identity. Send it without that header.',
  )
}

async function readBody(
  { req }: H3Event,
  route: Route,
  limits: UploadLimits,
  violations: FieldViolation[],
): Promise<Pick<Input, 'body' | 'files' | 'warnings' | 'release'>> {
  if (route.body === undefined) return {}
  if (route.check === 'handler') return { body: await readJsonText(req) }
  // The named fields of a form make an object.
  const { properties = {} } = route.body as Partial<TObject>
  const names = Object.keys(properties)
  if (route.files !== undefined) {
    const rule = findFormViolation(req.headers)
    if (rule !== undefined) {
      await skipForm(req, route.files, limits)
      throw explainUnreadable(rule, route)
    }
    if (isForm(req.headers)) {
      const { fields, files, unknownNames, release } = await readForm(req, names, route.files, limits)
      const given = [...fields.keys(), ...Object.keys(files), ...unknownNames]
      const warnings = findMisspelled([...names, ...route.files], given)
      return { body: readTexts(fields, route.body as TObject, violations), files, warnings, release }
    }
  }
  const body = await readJson(req, route)
  const warnings = findMisspelled(names, isJsonObject(body) ? Object.keys(body) : [])
  if (isJsonObject(body)) for (const name of route.ignore?.(body) ?? []) delete (body as Record<string, unknown>)[name]
  setDefaults(route.body, body)
  return { body, warnings }
}

async function readJson(request: H3Event['req'], route: Route): Promise<unknown> {
  try {
    return (await readJsonText(request)).parse()
  } catch (error) {
    throw error instanceof InvalidBody ? explainUnreadable(error.violations[0]?.rule as BodyRule, route) : error
  }
}

/** Returns the error for a body that cannot be read, with a message that the route may show. */
function explainUnreadable(rule: BodyRule, { files }: Route): InvalidBody {
  const types = files === undefined ? 'application/json' : 'application/json or multipart/form-data'
  const messages: Readonly<Record<BodyRule, string>> = {
    'content-type': `The Content-Type must be ${types}.`,
    'payload-json': 'The body must be JSON in UTF-8.',
  }
  return unreadableBody(rule, messages[rule])
}

function readTexts(texts: TextFields, schema: TObject, violations: FieldViolation[]): unknown {
  const { values, repeated } = toValues(texts, schema)
  for (const name of repeated) {
    violations.push({ path: `/${name}`, rule: 'repeated', sentence: 'is given more than once; send it once' })
  }
  setDefaults(schema, values)
  return values
}

function setDefaults(schema: TSchema, value: unknown): void {
  if (!isJsonObject(value)) return
  const { properties = {} } = schema as Partial<TObject>
  for (const [name, node] of Object.entries(properties)) {
    if ('default' in node && !Object.hasOwn(value, name)) Object.assign(value, { [name]: node.default })
  }
}

function parseQuery(search: string): TextFields {
  const texts = new Map<string, string[]>()
  for (const [name, text] of new URLSearchParams(search)) {
    const given = texts.get(name)
    if (given === undefined) texts.set(name, [text])
    else given.push(text)
  }
  return texts
}

function decodeParams(event: H3Event): Record<string, string> {
  try {
    const { params = {} } = event.context
    const decoded: Record<string, string> = {}
    for (const name in params) decoded[name] = decodeURIComponent(params[name] ?? '')
    return decoded
  } catch (cause) {
    throw new SvcError('not_found', 'There is nothing at this path.', { cause })
  }
}

/** Keeps the first violation of each field. */
function toInvalidBody(violations: readonly FieldViolation[]): InvalidBody {
  const first = violations.filter(({ path }, index) => violations.findIndex((other) => other.path === path) === index)
  return new InvalidBody(
    first.map(({ rule, path }) => ({ rule, path })),
    `${describe(first)}.`,
  )
}

const violationsShown = 3

/** Lists the first violations, each with its field, such as `feedbacks[0].cos_key`. */
function describe(violations: readonly FieldViolation[]): string {
  const shown = violations.slice(0, violationsShown).map(({ path, sentence }) => `${nameField(path)} ${sentence}`)
  const more = violations.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

function nameField(path: string): string {
  return path === '' ? 'The body' : `\`${nameMember(path)}\``
}

/** The values of a query or a form by name, in the order received. */
type TextFields = ReadonlyMap<string, readonly string[]>

/**
 * Converts the texts of a query or a form to the types of `schema`. A text that cannot be converted stays as it is, for the
 * check to report. Empty texts count as omitted: HTML forms send them for blank fields.
 * `repeated` names fields that were given more than once and are not arrays.
 */
function toValues(texts: TextFields, schema: TObject): { values: Record<string, unknown>; repeated: string[] } {
  const values: Record<string, unknown> = {}
  const repeated: string[] = []
  for (const [name, node] of Object.entries(schema.properties)) {
    const given = (texts.get(name) ?? []).filter((text) => text !== '')
    const [first] = given
    if (first === undefined) continue
    const type = findType(node)
    if (type === 'array') values[name] = toList(given)
    else if (given.length > 1) repeated.push(name)
    else values[name] = type === 'integer' ? toInteger(first) : first
  }
  return { values, repeated }
}

function findType(node: TSchema): unknown {
  const { type, anyOf } = node as { type?: unknown; anyOf?: readonly TSchema[] }
  return type ?? anyOf?.map(findType).find((branch) => branch !== 'null')
}

/** Accepts repeated fields, or one field with a JSON array. */
function toList(given: readonly string[]): unknown {
  const [first = ''] = given
  if (given.length > 1 || !first.trimStart().startsWith('[')) return given
  try {
    return JSON.parse(first)
  } catch {
    // It stays a string, which the check reports as not an array.
    return first
  }
}

/** Accepts decimal digits only: not `1.5`, `0x1` or `1e3`, and no unsafe integer. */
function toInteger(text: string): number | string {
  const value = Number(text)
  return /^(0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(value) ? value : text
}

/** Bounds the work for a body with many unknown names. */
const namesRead = 100

/**
 * Finds missing fields that seem to be present under another spelling, such as `petId` for `pet_id`. Unknown fields are
 * ignored, so only the log can tell why one had no effect. The caller's spelling is not logged.
 */
function findMisspelled(known: readonly string[], given: readonly string[]): RuleHit[] {
  const found = new Set(given)
  const missing = new Map(known.filter((name) => !found.has(name)).map((name) => [toPlain(name), name]))
  return given
    .slice(0, namesRead)
    .flatMap((name) => missing.get(toPlain(name)) ?? [])
    .map((name) => ({ rule: 'misspelled-field', path: `/${name}` }))
}

const toPlain = (name: string) =>
  name
    .slice(0, 64)
    .replace(/\[\d*\]$/, '')
    .replaceAll(/[_\- ]/g, '')
    .toLowerCase()
