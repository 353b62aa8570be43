import { setTimeout as delay } from 'node:timers/promises'
import type { LoggedRequest, RequestHits, RequestListQuery, RequestRecords } from '../../contract/requests.js'
import { SvcError } from '../../errors.js'
import { rules } from '../../insight/index.js'
import { type CallQuery, isInQuery, isOwnCall } from '../../log/call-source.js'
import { type LogFilter, type LogScan, scanLog } from '../../log/read-log.js'
import { toLoggedId } from '../../log/redact.js'
import type { RequestEntry, RuleHit } from '../../log/request-log.js'
import type { LogLineStore } from '../../ports/log-lines.js'
import type { Pseudonyms, RequestStore } from '../../ports/store.js'
import { awaitSubjects, type CallWithSubject, createPetTest, mayHaveSubject } from './subjects.js'
import { findTaskTrace, type TraceParts } from './trace.js'

export interface RecordParts extends TraceParts {
  readonly store: TraceParts['store'] & RequestStore
  readonly pseudonyms: Pick<Pseudonyms, 'pet'>
  /** Makes the lines that this process writes readable, so that callers find the calls that they have just made. */
  readonly flushLog?: () => Promise<void>
}

/** The number of calls that are read at once when filtering by pet. */
const callsAtOnce = 100
/** The number of retries for a call that is not found, since the log is written in groups. */
const groupsAwaited = 4
const groupMs = 40

/** Reads the calls of a query after a cursor, oldest first; without one, newest first. Lines do not contain the pet: calls that may have one are read. */
export function scanCalls(log: LogLineStore, query: Partial<CallQuery>, from?: { cursor?: string | undefined }) {
  const { status, requestId, petId, since, withOwn } = query
  const id = requestId === undefined ? undefined : toLoggedId(requestId)
  const filter: LogFilter<RequestEntry> = {
    ...{ kind: 'call', id, status, since },
    matches: (entry) =>
      isInQuery(query, entry) &&
      (petId === undefined || mayHaveSubject(entry)) &&
      // A request ID selects any call. A call with a pet is never one of our own.
      (withOwn === true || id !== undefined || !isOwnCall(entry)),
  }
  return scanLog(log, filter, from)
}

export type CallScan = LogScan<RequestEntry>

/** Sorts entries by time: those of several processes are not written in this order. */
export function sortByTime<T extends { readonly time: string }>(entries: readonly T[]): T[] {
  return [...entries].sort((one, other) => Date.parse(one.time) - Date.parse(other.time))
}

/** Reads the calls of the log, with their pets and tasks from the store. */
export function createRecords(parts: RecordParts): RequestRecords {
  const { log, store, pseudonyms, flushLog = async () => {} } = parts
  return {
    async list({ limit, after, status, pet_id: petId, request_id: requestId, include }: RequestListQuery, now) {
      const query = { status, petId, requestId, withOwn: include === 'svc' }
      const matchesPet = createPetTest(petId, pseudonyms)
      await flushLog()
      const scan = scanCalls(log, query, after === undefined ? undefined : { cursor: after })
      const calls: CallWithSubject[] = []
      while (calls.length < limit) {
        // Forward, no call may be read that is not returned: the cursor is after the last one.
        const wanted = after === undefined && petId !== undefined ? callsAtOnce : limit - calls.length
        const entries = await scan.next(wanted)
        calls.push(...(await awaitSubjects(store, entries, now)).filter(({ subject }) => matchesPet(subject)))
        if (entries.length < wanted) break
      }
      const found = after === undefined ? calls.slice(0, limit).reverse() : calls
      return { data: sortByTime(found.map(present)), cursor: scan.cursor() }
    },
    async get(requestId, now) {
      await flushLog()
      const entry = await findEntry(log, requestId)
      if (entry === undefined) throw new SvcError('not_found', 'The log has no call with this request ID.')
      const [call = { entry, subject: {} }] = await awaitSubjects(store, [entry], now)
      const { taskId } = call.subject
      const task = taskId === undefined ? undefined : await findTaskTrace(parts, taskId, now)
      const hits = { violations: presentHits(entry.violations), warnings: presentHits(entry.warnings) }
      return { ...present(call), ...hits, task }
    },
  }
}

/** Returns the last call with this ID. Waits for a line that another process is still writing. */
async function findEntry(log: LogLineStore, requestId: string): Promise<RequestEntry | undefined> {
  for (let round = 0; round <= groupsAwaited; round++) {
    if (round > 0) await delay(groupMs)
    const [entry] = await scanCalls(log, { requestId }).next(1)
    if (entry !== undefined) return entry
  }
  return undefined
}

/** Leaves out what only the owner of the log sees. */
function present({ entry, subject }: CallWithSubject): LoggedRequest {
  const { call_id, key_id, violations, warnings, error, ...shown } = entry
  return { ...shown, pet_id: subject.petId, task_id: subject.taskId }
}

/** Adds the sentences of the broken rules. */
function presentHits(hits: readonly RuleHit[] = []): RequestHits {
  return hits.map((hit) => ({ ...hit, sentence: findSentence(hit.rule) ?? '' }))
}

/** Finds the sentence of a rule in the log, for payloads and for all other requests. */
export function findSentence(rule: string): string | undefined {
  return rules.find(({ id }) => id === rule)?.sentence ?? requestRules[rule]
}

/** The rules of requests: mostly keywords of JSON Schema. */
const requestRules: Readonly<Record<string, string>> = {
  'content-type': 'The header Content-Type must be application/json.',
  required: 'The field is required.',
  type: 'The field has the wrong type.',
  enum: 'The field must be one of the allowed values.',
  const: 'The field must be one of the allowed values.',
  minimum: 'The number is too small.',
  maximum: 'The number is too large.',
  minLength: 'The text is too short.',
  maxLength: 'The text is too long.',
  pattern: 'The text must match the pattern of the field.',
  format: 'The text must match the format of the field.',
  minItems: 'The list has too few items.',
  maxItems: 'The list has too many items.',
  uniqueItems: 'The list must not contain duplicates.',
  repeated: 'The field must be sent once.',
  'misspelled-field': 'The field is missing, but was sent with another spelling.',
  'unknown-magic-pet': 'There is no magic pet with this ID: it is a pet like any other.',
}
