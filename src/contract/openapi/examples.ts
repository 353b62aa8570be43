import type { ErrorCode } from '../../errors.js'
import { isJsonObject } from '../../insight/json-object.js'
import type { Json } from './schemas.js'

/** Requests and responses for the document. Tests record them from a server. */
export interface Examples {
  /** By the name of the route. */
  readonly operations: Readonly<Record<string, OperationExamples>>
  readonly errors: Readonly<Partial<Record<ErrorCode, unknown>>>
  /** Values that no operation shows, such as the other requests of a choice. */
  readonly schemas?: Readonly<Record<string, unknown>>
}

export interface OperationExamples {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** The fields of a form, without its files. */
  readonly form?: unknown
  readonly reply?: unknown
  /** The response with 503 that has the fields of a success. */
  readonly outage?: unknown
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly schemas: Record<string, Json>
    readonly responses: Readonly<Record<string, MediaContent>>
  }
}
interface OperationObject {
  readonly requestBody?: MediaContent
  readonly responses: Readonly<Record<string, MediaContent>>
}
interface MediaContent {
  readonly content?: Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>
}

/** Gives every named schema the first value that an example of the document has for it. */
export function addSchemaExamples(
  document: { readonly paths: unknown; readonly components: unknown },
  others: Examples['schemas'] = {},
): void {
  const { paths, components } = document as Document
  const { schemas } = components
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const contents = [
    ...operations.flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)]),
    ...Object.values(components.responses),
  ]
  for (const { schema, example } of contents.flatMap((one) => Object.values(one?.content ?? {}))) {
    if (example !== undefined) visit(schema, example)
  }
  for (const [name, example] of Object.entries(others)) visit({ $ref: `#/components/schemas/${name}` }, example)

  function visit(node: Json, value: unknown): void {
    const name = String(node.$ref).split('/').at(-1) ?? ''
    const component = schemas[name]
    if (component !== undefined) {
      if (component.examples === undefined && matches(component, value)) component.examples = [value]
      visit(component, value)
      return
    }
    for (const branch of branchesOf(node)) if (matches(branch, value)) visit(branch, value)
    if (Array.isArray(value)) for (const item of value) visit((node.items ?? {}) as Json, item)
    else if (isJsonObject(value)) {
      for (const [member, schema] of Object.entries((node.properties ?? {}) as Record<string, Json>)) {
        if (Object.hasOwn(value, member)) visit(schema, value[member])
      }
    }
  }

  /** True if a value has the form of a schema, as far as that tells the schemas of a choice apart. */
  function matches(node: Json, value: unknown): boolean {
    const component = schemas[String(node.$ref).split('/').at(-1) ?? '']
    if (component !== undefined) return matches(component, value)
    if ('const' in node) return node.const === value
    if (Array.isArray(node.enum)) return node.enum.includes(value)
    const choices = choicesOf(node)
    if (choices.length > 0 && !choices.some((choice) => matches(choice, value))) return false
    const types = [node.type ?? []].flat()
    if (!isJsonObject(value)) return value !== null || types.includes('null')
    if (types.length > 0 && !types.includes('object')) return false
    const { required = [], properties = {} } = node as {
      required?: readonly string[]
      properties?: Record<string, Json>
    }
    return (
      required.every((member) => Object.hasOwn(value, member)) &&
      Object.entries(properties).every(
        ([member, schema]) => !isConstant(schema) || !Object.hasOwn(value, member) || matches(schema, value[member]),
      )
    )
  }
}

const choicesOf = ({ anyOf = [], oneOf = [] }: Json) => [...(anyOf as Json[]), ...(oneOf as Json[])]

/** The schemas that may apply to a value besides their own. */
const branchesOf = (node: Json) => [...choicesOf(node), ...(node.then === undefined ? [] : [node.then as Json])]

const isConstant = (schema: Json) => 'const' in schema || (schema.type === 'string' && 'enum' in schema)
