import type { CallQuery } from '../../log/call-source.js'
import { parseRequestEntry } from '../../log/entry.js'
import type { LineFilter } from '../../log/log-file.js'
import type { RequestEntry } from '../../log/request-log.js'
import { toLoggedId } from '../../server/pipeline/request-id.js'
import { mayHaveSubject } from './subjects.js'

export type CallFilter = Partial<CallQuery>

/** Returns the filter of log lines. Lines do not contain the pet, so that filter follows later. */
export function toLineFilter({ status, requestId: sent, petId, withOwn }: CallFilter): LineFilter<RequestEntry> {
  const requestId = sent === undefined ? undefined : toLoggedId(sent)
  const isAsked = (entry: RequestEntry) =>
    (status === undefined || entry.status === status) &&
    (requestId === undefined || entry.request_id === requestId || entry.caller_request_id === requestId) &&
    // A request ID selects any call. A call with a pet is never one of our own.
    (withOwn || requestId !== undefined || !isOwnCall(entry))
  return {
    needle: toNeedle(status, requestId),
    parse(line) {
      const entry = parseRequestEntry(line)
      return entry !== undefined && isAsked(entry) && (petId === undefined || mayHaveSubject(entry)) ? entry : undefined
    },
  }
}

/** Returns a text that every matching line contains, as the log writes it. */
function toNeedle(status: number | undefined, requestId: string | undefined): string | undefined {
  if (requestId !== undefined) return JSON.stringify(requestId)
  return status === undefined ? undefined : `"status":${status},`
}

/** True for calls that are not part of the API: those of `/_svc`, and of pages that were served to a browser. */
function isOwnCall({ path, status }: RequestEntry): boolean {
  return path.startsWith('/_svc/') || (status < 400 && /^\/$|^\/(demo|docs|api-docs)(\/|$)|^\/favicon\.ico$/.test(path))
}
