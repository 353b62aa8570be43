import { parseRequestEntry } from '../../log/entry.js'
import type { LineFilter } from '../../log/file.js'
import type { RequestEntry } from '../../log.js'
import { toLoggedId } from '../../server/request-id.js'
import { mayHaveSubject } from './subjects.js'

export interface CallFilter {
  readonly status?: number | undefined
  /** Of the answer, or what the caller sent. */
  readonly requestId?: string | undefined
  readonly petId?: string | undefined
  /** With the calls of `/_svc` itself, and of pages. */
  readonly withOwn?: boolean
}

/** What of the log to read; the pet is not in it. */
export function toLineFilter({ status, requestId: sent, petId, withOwn }: CallFilter): LineFilter<RequestEntry> {
  const requestId = sent === undefined ? undefined : toLoggedId(sent)
  const isAsked = (entry: RequestEntry) =>
    (status === undefined || entry.status === status) &&
    (requestId === undefined || entry.request_id === requestId || entry.caller_request_id === requestId) &&
    // Whoever names a call wants that one, and one that has a pet is no call of ours.
    (withOwn || requestId !== undefined || !isOwnCall(entry))
  return {
    needle: toNeedle(status, requestId),
    parse(line) {
      const entry = parseRequestEntry(line)
      return entry !== undefined && isAsked(entry) && (petId === undefined || mayHaveSubject(entry)) ? entry : undefined
    },
  }
}

/** What a line of these calls contains as the log writes it. */
function toNeedle(status: number | undefined, requestId: string | undefined): string | undefined {
  if (requestId !== undefined) return JSON.stringify(requestId)
  return status === undefined ? undefined : `"status":${status},`
}

/** Whether a call is not about what callers do: those of this list itself, and of pages that a browser was given. */
function isOwnCall({ path, status }: RequestEntry): boolean {
  return path.startsWith('/_svc/') || (status < 400 && /^\/(demo|docs|api-docs)(\/|$)|^\/favicon\.ico$/.test(path))
}
