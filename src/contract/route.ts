import type { Static, TObject, TSchema } from 'typebox'
import type { Access } from '../access.js'
import type { ErrorCode } from '../errors.js'

/**
 * A route of the HTTP contract. Access control, checks, the handler's type and `/openapi.json` all come from this one value.
 * Members of `params`, `query` and `body` with a `default` are declared as required: a caller may leave them out.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With parameters as `{task_id}`. */
  readonly path: `/${string}`
  /** Paths of old callers that lead to the same. Source: gateway contract, 9. */
  readonly aliases?: readonly `/${string}`[]
  readonly summary: string
  /** `public` needs no key, `admin` one that may read the gateway's own records; all else names what the key must allow. */
  readonly access: 'public' | 'admin' | Access
  /** The parameters of the path, each by its name there. A value that none can have is `not_found`. */
  readonly params?: TObject
  /** The parameters of the query: texts and whole numbers. One that is empty counts as left out. */
  readonly query?: TObject
  /** The body, if the route takes one. */
  readonly body?: TSchema
  /** Names the members of a body (an object) that do not count beside its others, whatever they hold: they are left out. */
  readonly ignore?: (body: Readonly<Record<string, unknown>>) => readonly string[]
  /** Whether the handler checks the body itself, since it has an answer of its own to what is wrong. */
  readonly check?: 'handler'
  /** Names of the files that may come with the body, which is then a form. */
  readonly files?: readonly string[]
  /** Whether a caller may repeat the call under an `Idempotency-Key`. */
  readonly idempotent?: true
  /** The answer by status: 200, 204 for one without a body, and others that carry the same kind of body instead of an error. */
  readonly replies: Readonly<Partial<Record<200 | 503, TSchema> & { 204: null }>>
  /** Whether it only answers, whatever is sent, that it is gone: since which day (UTC), and what took its place. */
  readonly retired?: { readonly since: string; readonly successor: `/${string}` }
  /** What can go wrong beyond what the rest of the declaration already implies. */
  readonly errors?: readonly ErrorCode[]
}

export type RouteTable = Readonly<Record<string, Route>>

/** Declares a route; keeps its literal type, from which its handler's is derived. */
export function defineRoute<const R extends Route>(route: R): R {
  return route
}

type Declared<T> = T extends TSchema ? Static<T> : undefined

export type Params<R extends Route> = Declared<R['params']>
export type Query<R extends Route> = Declared<R['query']>
/** The body of a route's request, as it came where the handler is to check it. */
export type Body<R extends Route> = R['check'] extends 'handler' ? JsonText : Declared<R['body']>

/** A body that may be JSON. */
export interface JsonText {
  /** UTF-8. */
  readonly bytes: Uint8Array
  /** Answers its value; throws the error of the call if it is no JSON. */
  readonly parse: () => unknown
}

/** The names of a route's files. */
export type FileName<R extends Route> = R['files'] extends readonly string[] ? R['files'][number] : never
/** The body of a route's answer. */
export type ReplyBody<R extends Route> = Static<NonNullable<R['replies'][keyof R['replies'] & (200 | 503)]>>

/** Every path of a route, its own first. */
export function listPaths({ path, aliases = [] }: Route): readonly string[] {
  return [path, ...aliases]
}

/** Every error code that a route can answer with. Source: gateway contract, 7. */
export function listErrors(route: Route): ErrorCode[] {
  const isChecked = route.body !== undefined || route.query !== undefined || route.idempotent === true
  return [
    ...new Set<ErrorCode>([
      ...(route.access === 'public' ? [] : (['unauthorized', 'rate_limit_exceeded', 'forbidden'] as const)),
      ...(route.body === undefined ? [] : (['payload_too_large'] as const)),
      ...(isChecked ? (['invalid_request'] as const) : []),
      ...(route.params === undefined ? [] : (['not_found'] as const)),
      ...(route.idempotent === undefined ? [] : (['conflict'] as const)),
      ...(route.retired === undefined ? [] : (['gone'] as const)),
      ...(route.errors ?? []),
      'internal_error',
      // Whoever shows a key has it looked up in the database, which may be out of order.
      ...(route.access === 'public' ? [] : (['unavailable'] as const)),
    ]),
  ]
}
