import { type CallQuery, isInQuery } from '../../log/call-source.js'
import { parseRequestEntry } from '../../log/entry.js'
import { toLoggedId } from '../../log/logged-id.js'
import type { EntryFilter, RequestEntry } from '../../log/request-log.js'
import { mayHaveSubject } from './subjects.js'

export type CallFilter = Partial<CallQuery>

/** Returns the filter of log lines. Lines do not contain the pet, so that filter follows later. */
export function toEntryFilter(query: CallFilter): EntryFilter<RequestEntry> {
  const { status, requestId: sent, petId, withOwn } = query
  const id = sent === undefined ? undefined : toLoggedId(sent)
  const isAsked = (entry: RequestEntry) =>
    (status === undefined || entry.status === status) &&
    isInQuery(query, entry) &&
    (id === undefined || entry.request_id === id || entry.caller_request_id === id || entry.trace_id === id) &&
    // A request ID selects any call. A call with a pet is never one of our own.
    (withOwn || id !== undefined || !isOwnCall(entry))
  return {
    match: { id, status },
    parse(line) {
      const entry = parseRequestEntry(line)
      return entry !== undefined && isAsked(entry) && (petId === undefined || mayHaveSubject(entry)) ? entry : undefined
    },
  }
}

/** True for calls that are not part of the API: those of `/_svc`, and of pages that were served to a browser. */
export function isOwnCall({ path, status }: Pick<RequestEntry, 'path' | 'status'>): boolean {
  return path.startsWith('/_svc/') || (status < 400 && /^\/$|^\/(demo|docs|api-docs)(\/|$)|^\/favicon\.ico$/.test(path))
}
