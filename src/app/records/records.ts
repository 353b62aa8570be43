import { setTimeout as delay } from 'node:timers/promises'
import type { LoggedRequest } from '../../contract/requests.js'
import { SvcError } from '../../errors.js'
import { fromCursor, toCursor } from '../../log/cursor.js'
import type { RequestEntry } from '../../log/request-log.js'
import { scanBackward, scanForward } from '../../log/scan.js'
import type { Pseudonyms } from '../../ports/pseudonyms.js'
import type { RequestStore } from '../../ports/requests.js'
import type { RequestListQuery, RequestRecords } from '../../server/handlers/requests.js'
import { type CallFilter, toLineFilter } from './filter.js'
import { presentHits } from './rules.js'
import { awaitSubjects, createPetTest, type Subject } from './subjects.js'
import { findTaskTrace, type TraceParts } from './trace.js'

export interface RecordParts extends TraceParts {
  readonly store: TraceParts['store'] & RequestStore
  readonly pseudonyms: Pick<Pseudonyms, 'pet'>
}

interface CallWithSubject {
  readonly entry: RequestEntry
  readonly subject: Subject
}

/** The number of calls that are read at once when filtering by pet. */
const callsAtOnce = 100
/** The number of retries for a call that is not found, since the log is written in groups. */
const groupsAwaited = 4
const groupMs = 40

/** Reads the calls of the log, with their pets and tasks from the store. */
export function createRecords(parts: RecordParts): RequestRecords {
  const { logs, store, pseudonyms } = parts

  async function withSubjects(entries: readonly RequestEntry[], now: Date): Promise<CallWithSubject[]> {
    const subjects = await awaitSubjects(store, entries, now)
    return entries.map((entry, place) => ({ entry, subject: subjects[place] ?? {} }))
  }

  async function listAfter(cursor: string, limit: number, filter: CallFilter, isAsked: IsAsked, now: Date) {
    const scan = scanForward(logs, fromCursor(cursor), toLineFilter(filter))
    const calls: CallWithSubject[] = []
    while (calls.length < limit) {
      const wanted = limit - calls.length
      const entries = await scan.next(wanted)
      calls.push(...(await withSubjects(entries, now)).filter(isAsked))
      if (entries.length < wanted) break
    }
    return { calls, cursor: toCursor(scan.position()) }
  }

  async function listNewest(limit: number, filter: CallFilter, isAsked: IsAsked, now: Date) {
    const scan = scanBackward(logs, toLineFilter(filter))
    const calls: CallWithSubject[] = []
    const wanted = filter.petId === undefined ? limit : callsAtOnce
    while (calls.length < limit) {
      const entries = await scan.next(wanted)
      calls.push(...(await withSubjects(entries, now)).filter(isAsked))
      if (entries.length < wanted) break
    }
    return { calls: calls.slice(0, limit).reverse(), cursor: toCursor(scan.position()) }
  }

  return {
    async list({ limit, after, status, pet_id: petId, request_id: requestId, include }: RequestListQuery, now) {
      const filter = { status, petId, requestId, withOwn: include === 'svc' }
      const isAsked = toIsAsked(petId, pseudonyms)
      const { calls, cursor } = await (after === undefined
        ? listNewest(limit, filter, isAsked, now)
        : listAfter(after, limit, filter, isAsked, now))
      return { data: calls.map(present), cursor }
    },
    async get(requestId, now) {
      const entry = await findEntry(logs, requestId)
      if (entry === undefined) throw new SvcError('not_found', 'The log has no call with this request ID.')
      const [call = { entry, subject: {} }] = await withSubjects([entry], now)
      const { taskId } = call.subject
      const task = taskId === undefined ? undefined : await findTaskTrace(parts, taskId, now)
      const hits = { violations: presentHits(entry.violations), warnings: presentHits(entry.warnings) }
      return { ...present(call), ...hits, ...(task === undefined ? {} : { task }) }
    },
  }
}

/** Returns the last call with this ID. Waits for a line that is still being written. */
async function findEntry(logs: string, requestId: string): Promise<RequestEntry | undefined> {
  const filter = toLineFilter({ requestId })
  const back = scanBackward(logs, filter)
  let [entry] = await back.next(1)
  const position = back.position()
  for (let round = 0; entry === undefined && round < groupsAwaited; round++) {
    await delay(groupMs)
    entry = (await scanForward(logs, position, filter).next(callsAtOnce)).at(-1)
  }
  return entry
}

type IsAsked = (call: CallWithSubject) => boolean

function toIsAsked(petId: string | undefined, pseudonyms: RecordParts['pseudonyms']): IsAsked {
  if (petId === undefined) return () => true
  const isOfPet = createPetTest(petId, pseudonyms)
  return ({ subject }) => isOfPet(subject)
}

function present({ entry, subject }: CallWithSubject): LoggedRequest {
  const { time, request_id, caller_request_id, method, path, status, duration_ms, key_name } = entry
  return {
    time,
    request_id,
    ...(caller_request_id === undefined ? {} : { caller_request_id }),
    method,
    path,
    status,
    duration_ms,
    ...(key_name === undefined ? {} : { key_name }),
    ...(subject.petId === undefined ? {} : { pet_id: subject.petId }),
    ...(subject.taskId === undefined ? {} : { task_id: subject.taskId }),
  }
}
