import type { Routes } from '../contract/index.js'
import type { Body, FileName, Params, Query, ReplyBody, Route, RouteTable } from '../contract/route.js'
import type { RuleHit } from '../log.js'
import type { Reservation } from '../ports/tasks.js'
import type { ApiKey } from '../ports.js'

/** What a handler gets: who is calling and what was sent, checked as far as the route declares it. */
export interface Call<R extends Route> {
  readonly key: R['access'] extends 'public' ? undefined : ApiKey
  readonly params: Params<R>
  readonly query: Query<R>
  readonly body: Body<R>
  /** The files that came, each by its name: none is empty. */
  readonly files: Readonly<Partial<Record<FileName<R>, Buffer>>>
  /** What the answer is to be kept under, if the caller named a key. */
  readonly reservation: Reservation | undefined
  readonly requestId: string
  readonly now: Date
  /** What the addresses in the answer begin with, such as `https://svc.test`. */
  readonly baseUrl: string
  /** What the log should say about an accepted body. */
  warn(warnings: readonly RuleHit[]): void
}

export type Reply<R extends Route> = R['replies'] extends { readonly 204: null }
  ? { readonly status: 204 }
  : {
      readonly status?: keyof R['replies'] & number
      readonly body: ReplyBody<R>
      /** `body` as JSON, where it is the same for every call and worth keeping. */
      readonly json?: string
    }

export type Handler<R extends Route> = (call: Call<R>) => Reply<R> | Promise<Reply<R>>
/** One handler for each route of the contract that is in use: a missing one does not compile. */
export type Handlers<T extends RouteTable = Routes> = {
  readonly [K in keyof T as T[K] extends { readonly retired: object } ? never : K]: Handler<T[K]>
}
