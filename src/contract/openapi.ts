import { addSchemaExamples, type Examples } from './openapi/examples.js'
import { describeOperation } from './openapi/operations.js'
import { describeErrorResponses, headers } from './openapi/responses.js'
import { createSchemas, type Json } from './openapi/schemas.js'
import { listPaths, type RouteTable } from './route.js'
import { ErrorEnvelope } from './schemas.js'
import { listTags } from './tags.js'

const noExamples: Examples = { operations: {}, errors: {} }

/** Renders the routes as an OpenAPI 3.1 document. */
export function buildOpenApi(routes: RouteTable, version: string, examples: Examples = noExamples): Json {
  const schemas = createSchemas()
  const paths: Record<string, Json> = {}
  for (const [name, route] of Object.entries(routes)) {
    for (const [index, path] of listPaths(route).entries()) {
      const operation = describeOperation({ name, route, index, use: schemas.use, examples })
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    }
  }
  const error = schemas.use(ErrorEnvelope)
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version,
      description: 'HTTP/JSON gateway for AI-backed pet features.',
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: listTags(Object.values(routes)),
    paths,
    components: {
      schemas: schemas.components,
      responses: describeErrorResponses(error, examples),
      headers,
      parameters: {
        'X-Request-ID': {
          name: 'X-Request-ID',
          in: 'header',
          description: 'ID of the call, used in the logs of both sides.',
          schema: { type: 'string' },
        },
        'Idempotency-Key': {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'The same request with the same key is performed once; within 24 hours it gets the same answer.',
          schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
        },
        'If-None-Match': {
          name: 'If-None-Match',
          in: 'header',
          description: 'The `ETag` of an earlier answer: if it is still the same, the answer is 304.',
          schema: { type: 'string' },
        },
      },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key made with `svc key create`.' },
      },
    },
  }
  addSchemaExamples(document, examples.schemas)
  return document
}
