import { finished } from 'node:stream/promises'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { loadInsightCopy } from '../catalog/catalog.js'
import { type CallInput, call } from '../client/client.js'
import { type Routes, routes } from '../contract/index.js'
import type { Json } from '../contract/openapi/schemas.js'
import type { Route } from '../contract/route.js'
import { isSvcError, SvcError } from '../errors.js'
import { interpret, locales, renderInsight, type UnknownMembers, validate } from '../insight/index.js'
import { createCheckSegment } from '../payload-files/check-segment.js'
import { untilAborted } from '../runtime/abort.js'
import { version } from '../runtime/program-name.js'
import { listWords } from '../text/spelling.js'
import { toJsonText, toPrintableLines } from '../text/words.js'
import { readPhotoSource } from './avatar.js'
import { addConnectionOptions, connect, type ServerFlags, type ServiceConnection } from './client/connect.js'
import { untilInterrupted } from './client/run.js'
import type { CommandModule } from './command.js'
import { getRule } from './validate/print-rules.js'

/** A function that an agent can call: `call` returns a JSON value, or throws an `SvcError`. */
interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly properties: Json; readonly required: readonly string[] }
  readonly annotations: ListedTool['annotations']
  readonly call: (input: Json) => Promise<unknown>
}

interface McpFlags extends ServerFlags {
  readonly allowWrites?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('mcp')
    .description('Serve the API and the checks of payloads as tools for agents (Model Context Protocol).')
    .option('--allow-writes', 'also offer the calls that create, change and delete')
    .use(addConnectionOptions)
    .addHelpText('after', help)
    .action(async (flags: McpFlags) => {
      await serveTools(flags)
      finish(0)
    })
}

const help = `
An agent starts this command, talks to it over standard input and output, and ends it. Without --allow-writes, only calls with GET
are tools. Tasks that an agent creates run while this command or a server runs on the data directory.

Example:
  svc mcp --url http://127.0.0.1:8787 --allow-writes
`

/** Replaces the package's validator of answers that a server asks people for. */
const refuseAnswer = () => ({ valid: false, data: undefined, errorMessage: 'svc asks nobody.' }) as const

/** Serves the tools until standard input ends, or a signal arrives. */
async function serveTools({ allowWrites, ...flags }: McpFlags): Promise<void> {
  let connection: Promise<ServiceConnection> | undefined
  /** Connects with the first call of a route: checks of payloads need no service. */
  const open = () => {
    connection ??= connect(flags, allowWrites ? 'create' : 'read').catch((error) => {
      connection = undefined
      throw error
    })
    return connection
  }
  const tools = [...payloadTools, ...listRouteTools(open, allowWrites === true)]
  // No other command loads the package.
  const { Server } = await import('@modelcontextprotocol/server')
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const createServer = () => {
    const jsonSchemaValidator = { getValidator: () => refuseAnswer }
    const server = new Server({ name: 'svc', version }, { capabilities: { tools: {} }, jsonSchemaValidator })
    const listed = tools.map(({ call, ...tool }) => tool as unknown as ListedTool)
    server.setRequestHandler('tools/list', () => ({ tools: listed }))
    server.setRequestHandler('tools/call', ({ params }) => callTool(tools, params.name, params.arguments))
    return server
  }
  const onerror = ({ message }: Error) => void process.stderr.write(`svc: ${toPrintableLines(message)}\n`)
  const running = serveStdio(createServer, { onerror })
  const ended = finished(process.stdin, { writable: false }).catch(() => {})
  try {
    await untilInterrupted(
      (signal) => untilAborted(ended, signal),
      () => {},
    )
  } finally {
    await running.close()
    await (await connection?.catch(() => undefined))?.close()
  }
}

/** Calls a tool. Errors of the service and of the input are results, so that the agent reads them. */
async function callTool(tools: readonly Tool[], name: string, input: Json = {}) {
  const toContent = (value: unknown) => [{ type: 'text' as const, text: toJsonText(value) }]
  try {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw new SvcError('not_found', `There is no tool ${name}.`)
    // A response without a body is empty.
    return { content: toContent((await tool.call(input)) || {}) }
  } catch (error) {
    if (!isSvcError(error)) throw error
    const requestId = 'requestId' in error ? error.requestId : undefined
    const body = { code: error.code, message: error.message, request_id: requestId }
    return { content: toContent({ error: body }), isError: true }
  }
}

const payload = {
  type: 'object',
  description: 'A payload health-detail-v3; svc validate --print-schema prints its schema.',
}

/** The commands `svc validate`, `svc insight render` and `svc validate --explain`. */
const payloadTools: readonly Tool[] = [
  {
    name: 'validatePayload',
    description: 'Checks a health detail payload, and lists each violation with its JSON Pointer, rule and message.',
    inputSchema: {
      type: 'object',
      properties: {
        payload,
        text: { type: 'string', description: 'The JSON text of a payload, in place of it: violations get a line.' },
        unknown: {
          enum: ['warn', 'error', 'ignore'],
          description: 'How members that the contract does not know are reported.',
        },
      },
      required: [],
    },
    annotations: { readOnlyHint: true },
    async call({ payload, text = JSON.stringify(payload) ?? '', unknown }) {
      const check = createCheckSegment(validate, unknown as UnknownMembers | undefined)
      const bytes = Buffer.from(String(text))
      const { flagged } = await check({ bytes, lines: false, start: { line: 1, column: 1 } })
      const { errors = [], warnings = [] } = flagged[0] ?? {}
      return { valid: errors.length === 0, errors, warnings }
    },
  },
  {
    name: 'renderPayload',
    description: 'Renders a valid health detail payload to its paragraph, in one language or in all three.',
    inputSchema: {
      type: 'object',
      properties: { payload, locale: { enum: locales, description: 'If omitted: all three.' } },
      required: ['payload'],
    },
    annotations: { readOnlyHint: true },
    async call({ payload, locale }) {
      const { errors, reading } = interpret(payload)
      if (reading === undefined) {
        const reasons = errors.map(({ path, rule, message }) => `${path} (${rule}): ${message}`)
        throw new SvcError('invalid_request', `The payload is not valid. ${reasons.join(' ')}`)
      }
      const copy = await loadInsightCopy()
      const wanted = locales.filter((each) => locale === undefined || each === locale)
      if (wanted.length === 0) throw new SvcError('invalid_request', `locale must be ${listWords(locales, 'or')}.`)
      return { insights: wanted.map((each) => renderInsight(reading, { copy, locale: each })) }
    },
  },
  {
    name: 'explainRule',
    description: 'Explains a rule of health detail payloads: what it requires, its section, a good and a bad example.',
    inputSchema: { type: 'object', properties: { rule: { type: 'string' } }, required: ['rule'] },
    annotations: { readOnlyHint: true },
    call: async ({ rule }) => getRule(String(rule)),
  },
]

/** Makes a tool of each route; of those with GET alone, unless `allowsWrites`. */
function listRouteTools(open: () => Promise<ServiceConnection>, allowsWrites: boolean): Tool[] {
  const offered = Object.entries<Route>(routes).filter(
    // `/openapi.json` and the schema of payloads would fill the memory of an agent.
    ([, { method, retired, conditional }]) => (allowsWrites || method === 'GET') && !retired && !conditional,
  )
  return offered.map(([name, route]) => ({
    name,
    description: route.description ?? route.summary,
    inputSchema: toInputSchema(route),
    annotations: { title: route.summary, readOnlyHint: route.method === 'GET' },
    async call(input) {
      const connection = await open()
      const body = await callRoute(connection, name as keyof Routes, route, input)
      // In this process, the worker makes what was ordered.
      if (route.method !== 'GET') connection.idle?.().catch(() => {})
      return body
    },
  }))
}

/** Joins the parameters, the members of the body and the paths of files to one object. The contract's names mean nothing here. */
function toInputSchema({ params, query, body, check, files = [], idempotent }: Route): Tool['inputSchema'] {
  // The schema of a payload has 100 KB.
  const sent = check === 'handler' ? { properties: { payload }, required: ['payload'] } : body
  const parts = [params, query, sent].map((part) => part as Partial<Tool['inputSchema']> | undefined)
  const paths = files.map((name) => [name, { type: 'string', description: `Path of a file, in place of ${name}_url.` }])
  const key = { type: 'string', description: 'A call that is repeated with the same key does its work once.' }
  const properties = Object.assign({}, ...parts.map((part) => part?.properties), Object.fromEntries(paths))
  const required = parts.flatMap((part) => part?.required ?? []).filter((name) => !('default' in properties[name]))
  return JSON.parse(
    JSON.stringify(
      { type: 'object', properties: idempotent ? { ...properties, idempotency_key: key } : properties, required },
      (name, value) => (name === '$id' || name === 'x-expected' ? undefined : value),
    ),
  )
}

async function callRoute(server: ServiceConnection, name: keyof Routes, route: Route, input: Json): Promise<unknown> {
  const { idempotency_key: key, ...rest } = input
  const pick = (schema: Route['params']) => {
    const names = Object.keys(schema?.properties ?? {}).filter((each) => each in rest)
    return Object.fromEntries(names.map((each) => [each, String(rest[each])]))
  }
  const written = route.check === 'handler' ? rest.payload : await toBody(rest, route.files)
  const body = route.body === undefined ? undefined : written
  const parts = { params: pick(route.params), query: pick(route.query), headers: { 'idempotency-key': key }, body }
  return call(server, name, parts as CallInput<Routes[typeof name]>)
}

/** Returns the input; as a form if it names a file. */
async function toBody(input: Json, files: readonly string[] = []): Promise<Json | FormData> {
  const file = files.find((name) => input[name] !== undefined)
  if (file === undefined) return input
  const source = await readPhotoSource(String(input[file]))
  if ('url' in source) return { ...input, [file]: undefined, [`${file}_url`]: source.url }
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  form.set(file, source.file, source.name)
  return form
}
