import type { H3Event } from 'h3'
import type { TObject, TSchema } from 'typebox'
import type { Route } from '../../contract/route.js'
import { SvcError } from '../../errors.js'
import type { RuleHit } from '../../log.js'
import { type BodyFault, InvalidBody, invalid, isCompressed, isJsonType, readJson } from '../body.js'
import type { Fault } from './check.js'
import { readForm, skipForm, type UploadLimits } from './form.js'
import { type Texts, toValues } from './form-values.js'
import { findMisspelt } from './misspelt.js'

/** What came with a call, as its route declares it. */
export interface Input {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly files?: Readonly<Record<string, Buffer>>
  /** What the log should say of a body that is accepted. */
  readonly warnings?: readonly RuleHit[]
  /** Gives back the memory that the files are counted for. */
  readonly release?: () => void
}

let checker: typeof import('./check.js') | undefined

/** Whether a route declares more than a body that its handler checks. */
export function isChecked({ params, query, body, check }: Route): boolean {
  return params !== undefined || query !== undefined || (body !== undefined && check === undefined)
}

/**
 * Reads and checks all that a route declares. Throws `not_found` for a parameter of the path that nothing can have, and
 * `InvalidBody` that names the fields at fault and what they must be.
 */
export async function readInput(event: H3Event, route: Route, limits: UploadLimits): Promise<Input> {
  // Loaded with the first call that needs it: a server starts sooner without.
  checker ??= await import('./check.js')
  const { findFaults } = checker
  const faults: Fault[] = []
  const check = (schema: TSchema, value: unknown) => faults.push(...findFaults(schema, value))

  const params = route.params === undefined ? undefined : decodeParams(event)
  if (params !== undefined && route.params !== undefined) {
    check(route.params, params)
    if (faults.length > 0) throw new SvcError('not_found', `There is nothing at this path: ${describe(faults)}.`)
  }

  const query = route.query === undefined ? undefined : readTexts(parseQuery(event.url.search), route.query, faults)
  if (query !== undefined && route.query !== undefined) check(route.query, query)

  const { body, files, warnings, release } = await readBody(event, route, limits, faults)
  try {
    if (route.body !== undefined && route.check === undefined) check(route.body, body)
    if (faults.length > 0) throw toInvalidBody(faults)
  } catch (error) {
    release?.()
    throw error
  }
  return { params, query, body, files, warnings, release }
}

async function readBody(
  { req }: H3Event,
  route: Route,
  limits: UploadLimits,
  faults: Fault[],
): Promise<Pick<Input, 'body' | 'files' | 'warnings' | 'release'>> {
  if (route.body === undefined) return {}
  const formFault = route.files === undefined ? undefined : findFormFault(req.headers)
  if (route.files !== undefined && formFault !== undefined) {
    await skipForm(req, route.files, limits)
    throw explain(invalid(formFault), route)
  }
  if (route.files !== undefined && isForm(req.headers)) {
    // The fields of a form have names, so what it stands for is an object.
    const schema = route.body as TObject
    const names = Object.keys(schema.properties)
    const { fields, files, otherNames, release } = await readForm(req, names, route.files, limits)
    const given = [...fields.keys(), ...Object.keys(files), ...otherNames]
    const warnings = findMisspelt([...names, ...route.files], given)
    return { body: readTexts(fields, schema, faults), files, warnings, release }
  }
  const body = await readJson(req).catch((error) => {
    throw explain(error, route)
  })
  if (route.check === 'handler') return { body }
  const { properties = {} } = route.body as Partial<TObject>
  const given = isObject(body) ? Object.keys(body) : []
  const warnings = findMisspelt(Object.keys(properties), given)
  if (isObject(body)) for (const name of route.ignore?.(body) ?? []) delete body[name]
  setDefaults(route.body, body)
  return { body, warnings }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type RequestHeaders = Pick<Headers, 'get'>

function isForm(headers: RequestHeaders): boolean {
  return /^multipart\/form-data *(;|$)/i.test(headers.get('content-type') ?? '')
}

/** Why a body that may be a form is neither that nor JSON, such as a photo by itself. */
function findFormFault(headers: RequestHeaders): BodyFault | undefined {
  if (isForm(headers)) return isCompressed(headers) ? 'content-encoding' : undefined
  return isJsonType(headers.get('content-type')) ? undefined : 'content-type'
}

/** A body that cannot be read, in words. */
function explain(error: unknown, { check, files }: Route): unknown {
  if (!(error instanceof InvalidBody) || check === 'handler') return error
  const types = files === undefined ? 'application/json' : 'application/json or multipart/form-data'
  const messages: Readonly<Record<BodyFault, string>> = {
    'content-type': `The Content-Type must be ${types}.`,
    'content-encoding': 'The body must not be compressed: send it as it is, without a Content-Encoding.',
    'payload-json': 'The body must be JSON in UTF-8.',
  }
  return new InvalidBody(error.violations, messages[error.violations[0]?.rule as BodyFault])
}

function readTexts(texts: Texts, schema: TObject, faults: Fault[]): unknown {
  const { values, repeated } = toValues(texts, schema)
  for (const name of repeated) {
    faults.push({ path: `/${name}`, rule: 'repeated', sentence: 'is given more than once; send it once' })
  }
  setDefaults(schema, values)
  return values
}

function setDefaults(schema: TSchema, value: unknown): void {
  if (!isObject(value)) return
  const { properties = {} } = schema as Partial<TObject>
  for (const [name, node] of Object.entries(properties)) {
    if ('default' in node && !Object.hasOwn(value, name)) Object.assign(value, { [name]: node.default })
  }
}

function parseQuery(search: string): Texts {
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

/** What is said first of a field stands. */
function toInvalidBody(faults: readonly Fault[]): InvalidBody {
  const first = faults.filter(({ path }, index) => faults.findIndex((fault) => fault.path === path) === index)
  return new InvalidBody(
    first.map(({ rule, path }) => ({ rule, path })),
    `${describe(first)}.`,
  )
}

const faultsShown = 3

/** The first faults, each with its field: `feedbacks[0].cos_key`. */
function describe(faults: readonly Fault[]): string {
  const shown = faults.slice(0, faultsShown).map(({ path, sentence }) => `${nameField(path)} ${sentence}`)
  const more = faults.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

function nameField(path: string): string {
  if (path === '') return 'The body'
  return `\`${path
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')}\``
}
