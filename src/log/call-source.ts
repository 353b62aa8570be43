import type { RequestHits, TaskTrace } from '../contract/requests.js'
import type { RequestEntry } from './request-log.js'

/** A call from the log, with its pet and task, and the sentences of the rules that its body broke. */
export interface LoggedCall extends Omit<RequestEntry, 'violations' | 'warnings'> {
  readonly violations?: readonly LoggedViolation[] | undefined
  readonly warnings?: readonly LoggedViolation[] | undefined
  readonly pet_id?: string
  readonly task_id?: string
  /** Only if one call was asked for. */
  readonly task?: TaskTrace
}

/** The log itself stores no sentence. */
export type LoggedViolation = Omit<RequestHits[number], 'sentence'> & Partial<RequestHits[number]>

export interface CallQuery {
  readonly status?: number | undefined
  /** The ID of the response, or the one that the caller sent. */
  readonly requestId?: string | undefined
  readonly petId?: string | undefined
  readonly since?: Date | undefined
  /** A part of the path. */
  readonly path?: string | undefined
  /** The shortest duration. */
  readonly slowMs?: number | undefined
  /** Includes calls of `/_svc` and of pages. */
  readonly withOwn: boolean
}

/** Tests the conditions of a query that neither the table of the log nor `/_svc/requests` knows. */
export function isInQuery({ since, path, slowMs }: Partial<CallQuery>, call: RequestEntry): boolean {
  return (
    (since === undefined || Date.parse(call.time) >= since.getTime()) &&
    (path === undefined || call.path.includes(path)) &&
    (slowMs === undefined || call.duration_ms >= slowMs)
  )
}

/** True for calls that are not part of the API: those of `/_svc`, and of pages that were served to a browser. */
export function isOwnCall({ path, status }: Pick<RequestEntry, 'path' | 'status'>): boolean {
  return (
    path.startsWith('/_svc/') ||
    (status < 400 && /^\/$|^\/(demo|docs|api-docs)(\/|$)|^\/(favicon\.ico|llms\.txt)$/.test(path))
  )
}

export interface SourceOptions {
  /** Keeps reading after the calls that the log has, also through failures that pass. */
  readonly isFollowed: boolean
  /** Called with a sentence when a failure begins that does not end the reading. */
  readonly onTrouble: (message: string) => void
}

export interface CallBatch {
  readonly calls: readonly LoggedCall[]
  /** True if more calls are available now. */
  readonly isMore: boolean
}

/** A source of calls, oldest first. Each read returns the calls since the last one. */
export interface CallSource {
  /** The interval at which to poll for new calls. */
  readonly pollMs: number
  read(): Promise<CallBatch>
  close(): Promise<void>
}
