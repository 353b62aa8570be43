import { setTimeout as delay } from 'node:timers/promises'
import type { LoggedRequest, RequestListQuery, RequestRecords } from '../../contract/requests.js'
import { SvcError } from '../../errors.js'
import type { LogReader, RequestEntry } from '../../log/request-log.js'
import type { Pseudonyms } from '../../ports/pseudonyms.js'
import type { RequestStore } from '../../ports/store.js'
import { toEntryFilter } from './filter.js'
import { presentHits } from './rules.js'
import { awaitSubjects, createPetTest, type Subject } from './subjects.js'
import { findTaskTrace, type TraceParts } from './trace.js'

export interface RecordParts extends TraceParts {
  readonly store: TraceParts['store'] & RequestStore
  readonly pseudonyms: Pick<Pseudonyms, 'pet'>
  /** Makes the lines that this process writes readable, so that callers find the calls that they have just made. */
  readonly flushLog?: () => Promise<void>
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
  const { log, store, pseudonyms, flushLog = async () => {} } = parts

  async function withSubjects(entries: readonly RequestEntry[], now: Date): Promise<CallWithSubject[]> {
    const subjects = await awaitSubjects(store, entries, now)
    return entries.map((entry, place) => ({ entry, subject: subjects[place] ?? {} }))
  }

  return {
    async list({ limit, after, status, pet_id: petId, request_id: requestId, include }: RequestListQuery, now) {
      const filter = toEntryFilter({ status, petId, requestId, withOwn: include === 'svc' })
      const matchesPet = petId === undefined ? () => true : createPetTest(petId, pseudonyms)
      await flushLog()
      const scan = after === undefined ? log.scanBackward(filter) : log.scanForward(after, filter)
      const calls: CallWithSubject[] = []
      while (calls.length < limit) {
        // Forward, no call may be read that is not returned: the cursor is after the last one.
        const wanted = after === undefined && petId !== undefined ? callsAtOnce : limit - calls.length
        const entries = await scan.next(wanted)
        calls.push(...(await withSubjects(entries, now)).filter(({ subject }) => matchesPet(subject)))
        if (entries.length < wanted) break
      }
      const data = after === undefined ? calls.slice(0, limit).reverse() : calls
      return { data: data.map(present), cursor: scan.cursor() }
    },
    async get(requestId, now) {
      await flushLog()
      const entry = await findEntry(log, requestId)
      if (entry === undefined) throw new SvcError('not_found', 'The log has no call with this request ID.')
      const [call = { entry, subject: {} }] = await withSubjects([entry], now)
      const { taskId } = call.subject
      const task = taskId === undefined ? undefined : await findTaskTrace(parts, taskId, now)
      const hits = { violations: presentHits(entry.violations), warnings: presentHits(entry.warnings) }
      return { ...present(call), ...hits, task }
    },
  }
}

/** Returns the last call with this ID. Waits for a line that another process is still writing. */
async function findEntry(log: LogReader, requestId: string): Promise<RequestEntry | undefined> {
  const filter = toEntryFilter({ requestId })
  const back = log.scanBackward(filter)
  let [entry] = await back.next(1)
  const cursor = back.cursor()
  for (let round = 0; entry === undefined && round < groupsAwaited; round++) {
    await delay(groupMs)
    entry = (await log.scanForward(cursor, filter).next(callsAtOnce)).at(-1)
  }
  return entry
}

function present({ entry, subject }: CallWithSubject): LoggedRequest {
  const { time, request_id, caller_request_id, trace_id, instance, method, path, status, duration_ms } = entry
  const { key_name, fault } = entry
  const { petId: pet_id, taskId: task_id } = subject
  // Undefined members do not appear in the answer's JSON.
  const id = { request_id, caller_request_id, trace_id, instance }
  return { time, ...id, method, path, status, duration_ms, key_name, pet_id, task_id, fault }
}
