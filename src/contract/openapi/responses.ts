import { type ErrorCode, statusByCode } from '../../errors.js'
import { listErrors, type Route } from '../route.js'
import type { Examples, OperationExamples } from './examples.js'
import type { Json, Use } from './schemas.js'

const refer = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const limited = 'Present if the key has a limit. '

/** The headers of responses, as components. */
export const headers: Json = {
  'X-Request-ID': header(
    'ID of the call: the ID that was sent, if it has 1 to 128 of A-Z a-z 0-9 . _ -, otherwise a new one.',
  ),
  'Idempotent-Replayed': header(
    'Present if this is the response to an earlier request with the same Idempotency-Key.',
    { type: 'string', const: 'true' },
  ),
  'X-RateLimit-Limit': header(`${limited}The calls that the key may make in any 60 seconds.`, integer(1)),
  'X-RateLimit-Remaining': header(`${limited}The calls that are left.`, integer(0)),
  'X-RateLimit-Reset': header(`${limited}Whole seconds until the oldest counted call no longer counts.`, integer(0)),
  'Retry-After': header('Whole seconds to wait before the next try.', integer(1)),
  'Svc-Fault': header('Present if a fault rule changed the response: the ID of the rule.'),
  ETag: header('Names the content. Send it as `If-None-Match`.'),
  'Accept-Encoding': header('The accepted values of `Content-Encoding`.'),
  Allow: header('The methods that the path accepts.'),
  Deprecation: header('Date of retirement, as `@` and seconds since 1970.'),
  Sunset: header('Date of retirement, as an HTTP date.'),
  Link: header('The successor, as `rel="successor-version"`.'),
}

function header(description: string, schema: Json = { type: 'string' }): Json {
  return { description, schema }
}

function integer(minimum: number): Json {
  return { type: 'integer', minimum }
}

const rateLimitHeaders = refer('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')

/** Errors that are found before the key's calls are counted. */
const uncounted: readonly ErrorCode[] = ['method_not_allowed', 'unauthorized']

const ownHeaders: Partial<Record<ErrorCode, Json>> = {
  method_not_allowed: refer('Allow'),
  rate_limit_exceeded: refer('Retry-After'),
  unavailable: refer('Retry-After'),
  gone: refer('Deprecation', 'Sunset', 'Link'),
  unsupported_content_encoding: refer('Accept-Encoding'),
}

const descriptions: Readonly<Record<ErrorCode, string>> = {
  unauthorized: 'The key is missing, unknown, revoked or expired.',
  forbidden: 'The key may not use this endpoint, model or capability.',
  not_found: 'Nothing has this ID.',
  method_not_allowed: 'The path accepts other methods.',
  conflict: 'The resource is in a state that does not allow the call.',
  gone: 'The endpoint is retired.',
  payload_too_large: 'The body exceeds its limit.',
  unsupported_content_encoding: 'The body is compressed. `Accept-Encoding` lists the encodings that are accepted.',
  invalid_request: 'The request is not valid. The message names the field and the fix.',
  rate_limit_exceeded: "The key's limit, or a budget, is reached.",
  internal_error: 'An error in the service. Its log has the cause under the request ID.',
  provider_error: 'The model service failed during the call.',
  unavailable: 'The service cannot answer now.',
}

/** Returns `NotFound` for `not_found`. */
const nameResponse = (code: ErrorCode) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Describes the response of each error code, as components. */
export function describeErrorResponses(schema: Json, { errors }: Examples): Json {
  const codes = Object.keys(statusByCode) as ErrorCode[]
  return Object.fromEntries(
    codes.map((code) => [
      nameResponse(code),
      {
        description: `\`${code}\`: ${descriptions[code]}`,
        headers: {
          ...refer('X-Request-ID', 'Svc-Fault'),
          ...(!uncounted.includes(code) && rateLimitHeaders),
          ...ownHeaders[code],
        },
        content: { 'application/json': { schema, ...(code in errors && { example: errors[code] }) } },
      },
    ]),
  )
}

/** Describes the responses of a route: its replies, and references to its errors. */
export function describeResponses(route: Route, use: Use, { reply, outage }: OperationExamples): Json {
  const replyHeaders = {
    ...refer('X-Request-ID'),
    // Calls of `/_svc` manage the rules and are spared.
    ...(!route.path.startsWith('/_svc/') && refer('Svc-Fault')),
    ...(route.conditional && refer('ETag')),
    ...(route.access !== 'public' && rateLimitHeaders),
    ...(route.idempotent && refer('Idempotent-Replayed')),
  }
  const replies = Object.entries(route.replies).map(([status, schema]) => {
    const example = status === '503' ? outage : reply
    const content = schema && {
      'application/json': { schema: use(schema), ...(example !== undefined && { example }) },
    }
    const description = status === '503' ? 'Out of service' : 'Success'
    return [status, { description, headers: replyHeaders, ...(content && { content }) }]
  })
  const unchanged = route.conditional && { '304': { description: 'Not modified', headers: replyHeaders } }
  const codes: readonly ErrorCode[] = [...listErrors(route), 'method_not_allowed']
  const errors = codes.map((code) => [
    String(statusByCode[code]),
    { $ref: `#/components/responses/${nameResponse(code)}` },
  ])
  return { ...Object.fromEntries([...errors, ...replies]), ...unchanged }
}
