import type { Routes } from '../../contract/index.js'
import type { Body, FileName, Params, Query, ReplyBody, Route, RouteTable } from '../../contract/route.js'
import type { RuleHit } from '../../log/request-log.js'
import type { Reservation } from '../../ports/idempotency.js'
import type { ApiKey } from '../../ports/keys.js'
import type { StaticFile } from '../files/static-file.js'

/** The argument of a handler: the key, and the input as far as the route declares it, checked. */
export interface Call<R extends Route> {
  readonly key: R['access'] extends 'public' ? undefined : ApiKey
  readonly params: Params<R>
  readonly query: Query<R>
  readonly body: Body<R>
  /** The received files by field name, never empty. */
  readonly files: Readonly<Partial<Record<FileName<R>, Buffer>>>
  /** The reservation under which to store the response, if the caller sent an `Idempotency-Key`. */
  readonly reservation: Reservation | undefined
  readonly requestId: string
  /** Of this call alone; the rows that it creates keep it. */
  readonly callId: R['method'] extends 'GET' ? undefined : string
  /** The position in the caller's trace, or of our span, as W3C Trace Context defines it. */
  readonly traceparent: string | undefined
  readonly now: Date
  /** Returns the base of the addresses in the response, such as `https://svc.test`. Few calls need it, and it is slow to parse. */
  readonly findBaseUrl: () => string
  /** Adds warnings about the body to the log entry. */
  warn(warnings: readonly RuleHit[]): void
}

export type Reply<R extends Route> = R['replies'] extends { readonly 204: null }
  ? { readonly status: 204 }
  : {
      readonly status?: keyof R['replies'] & number
      readonly body: ReplyBody<R>
      /** `body` as JSON, if it is the same for every call and was kept. */
      readonly json?: string
      /** `body` as a file, which callers may keep or take compressed. */
      readonly file?: StaticFile
    }

export type Handler<R extends Route> = (call: Call<R>) => Reply<R> | Promise<Reply<R>>
/** One handler for each route of the contract that is not retired: a missing one does not compile. */
export type Handlers<T extends RouteTable = Routes> = {
  readonly [K in keyof T as T[K] extends { readonly retired: object } ? never : K]: Handler<T[K]>
}
