import type { Static, TSchema } from 'typebox'
import type { Access } from '../access.js'
import type { ErrorCode } from '../errors.js'

/** A route of the HTTP contract. Access control, the handler's type and `/openapi.json` all come from this one value. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly summary: string
  /** `public` needs no key; all else names what the key must allow. */
  readonly access: 'public' | Access
  /** The JSON body, if the route takes one. */
  readonly body?: TSchema
  /** The answer by status: 200, and others that carry the same kind of body instead of an error. */
  readonly replies: Readonly<Partial<Record<200 | 503, TSchema>>>
  /** What can go wrong beyond what the route's access and body already imply. */
  readonly errors?: readonly ErrorCode[]
}

/** Declares a route; keeps its literal type, from which its handler's is derived. */
export function defineRoute<const R extends Route>(route: R): R {
  return route
}

/** The body of a route's answer. */
export type ReplyBody<R extends Route> = Static<NonNullable<R['replies'][keyof R['replies'] & (200 | 503)]>>

/** Every error code that a route can answer with. Source: gateway contract, 7. */
export function listErrors(route: Route): ErrorCode[] {
  return [
    ...(route.access === 'public' ? [] : (['unauthorized', 'rate_limit_exceeded', 'forbidden'] as const)),
    ...(route.body === undefined ? [] : (['payload_too_large', 'invalid_request'] as const)),
    ...(route.errors ?? []),
    'internal_error',
  ]
}
