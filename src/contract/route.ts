import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../errors.js'
import type { Access } from './access.js'

/**
 * A route of the HTTP contract. Access control, checks, the handler's type and `/openapi.json` are derived from this value.
 * Members of `params`, `query` and `body` with a `default` are declared as required, but callers may omit them.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parameters are written as `{task_id}`. */
  readonly path: `/${string}`
  /** Other paths of the same route, for old callers. Source: gateway contract, 9. */
  readonly aliases?: readonly `/${string}`[]
  readonly summary: string
  /** Adds to the summary what callers must know. */
  readonly description?: string
  /** `public` needs no key, `admin` a key that may read the gateway's own records; otherwise the permissions of the key. */
  readonly access: 'public' | 'admin' | Access
  /** The parameters of the path, by name. An invalid value is `not_found`. */
  readonly params?: TObject
  /** The parameters of the query: strings and integers. An empty one counts as omitted. */
  readonly query?: TObject
  /** The body, if the route accepts one. */
  readonly body?: TSchema
  /** Names the members of a body (an object) that are ignored because of its other members; they are removed. */
  readonly ignore?: (body: Readonly<Record<string, unknown>>) => readonly string[]
  /** `handler` if the handler checks the body itself and reports its violations in its own way. */
  readonly check?: 'handler'
  /** Names of the files that may accompany the body, which is then a form. */
  readonly files?: readonly string[]
  /** True if callers may send an `Idempotency-Key`. */
  readonly idempotent?: true
  /** The response by status: 200, 204 for a response without a body, and others that have the same kind of body, not an error. */
  readonly replies: Readonly<Partial<Record<200 | 503, TSchema> & { 204: null }>>
  /** True if the response is a file with an `ETag`: callers that have it get 304. */
  readonly conditional?: true
  /** Set if the route always answers 410: the day of its retirement (UTC), and the path of its successor. */
  readonly retired?: { readonly since: string; readonly successor: `/${string}` }
  /** Error codes other than those that the rest of the declaration implies. */
  readonly errors?: readonly ErrorCode[]
}

export type RouteTable = Readonly<Record<string, Route>>

/** Declares a route and keeps its literal type, from which the type of its handler is derived. */
export function defineRoute<const R extends Route>(route: R): R {
  return route
}

type Declared<T> = T extends TSchema ? Static<T> : undefined

export type Params<R extends Route> = Declared<R['params']>
export type Query<R extends Route> = Declared<R['query']>
/** The body of a route's request; its unparsed text if the handler checks it. */
export type Body<R extends Route> = R['check'] extends 'handler' ? JsonText : Declared<R['body']>

/** A body that may be JSON. */
export interface JsonText {
  /** UTF-8. */
  readonly bytes: Uint8Array
  /** The same as text; it may begin with a byte order mark. */
  readonly text: string
  /** Returns the parsed value. Throws the error of the call if the text is not JSON. */
  readonly parse: () => unknown
}

/** The names of a route's files. */
export type FileName<R extends Route> = R['files'] extends readonly string[] ? R['files'][number] : never
/** The body of a route's response. */
export type ReplyBody<R extends Route> = Static<NonNullable<R['replies'][keyof R['replies'] & (200 | 503)]>>

/** Lists the paths of a route, its own first. */
export function listPaths({ path, aliases = [] }: Route): readonly string[] {
  return [path, ...aliases]
}

/** Lists the error codes that a route can answer with. Source: gateway contract, 7. */
export function listErrors(route: Route): ErrorCode[] {
  const isChecked = route.body !== undefined || route.query !== undefined || route.idempotent === true
  return [
    ...new Set<ErrorCode>([
      ...(route.access === 'public' ? [] : (['unauthorized', 'rate_limit_exceeded', 'forbidden'] as const)),
      ...(route.body === undefined ? [] : (['payload_too_large', 'unsupported_content_encoding'] as const)),
      ...(isChecked ? (['invalid_request'] as const) : []),
      ...(route.params === undefined ? [] : (['not_found'] as const)),
      ...(route.idempotent === undefined ? [] : (['conflict'] as const)),
      ...(route.retired === undefined ? [] : (['gone'] as const)),
      ...(route.errors ?? []),
      'internal_error',
      // Keys are looked up in the database, which may be out of service.
      ...(route.access === 'public' ? [] : (['unavailable'] as const)),
    ]),
  ]
}
