import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { RequestEntry } from '../../log/request-log.js'
import type { CallSubject, Pseudonyms, RequestStore } from '../../ports/store.js'

const callsAtOnce = 100

/** The rows of health insights are written in groups shortly after the response; all others are committed before it. */
const insightPath = '/v1/health-detail-insights/generate'
const groupMs = 40
const groupsAwaited = 4

export type Subject = Partial<CallSubject>

type SubjectStore = Pick<RequestStore, 'findSubjects' | 'findPets'>

export interface CallWithSubject {
  readonly entry: RequestEntry
  readonly subject: Subject
}

/** Finds the subjects of calls. Waits for rows of recent calls that are still being written. */
export async function awaitSubjects(
  store: SubjectStore,
  entries: readonly RequestEntry[],
  now: Date,
): Promise<CallWithSubject[]> {
  let subjects = await findSubjects(store, entries)
  const isLate = (entry: RequestEntry, place: number) =>
    subjects[place]?.petId === undefined &&
    entry.path === insightPath &&
    now.getTime() - Date.parse(entry.time) < groupMs * groupsAwaited &&
    findCallId(entry) !== undefined
  for (let round = 0; round < groupsAwaited && entries.some(isLate); round++) {
    await delay(groupMs)
    subjects = await findSubjects(store, entries)
  }
  return entries.map((entry, place) => ({ entry, subject: subjects[place] ?? {} }))
}

/** Creates a test for a pet, by its ID or by its pseudonym; without a pet, any call passes. */
export function createPetTest(petId: string | undefined, pseudonyms: Pick<Pseudonyms, 'pet'>) {
  if (petId === undefined) return () => true
  const names = [petId, pseudonyms.pet(petId)]
  return (subject: Subject) => names.includes(subject.petId ?? '')
}

/** Finds the pet and the task of each call: those that it created, or that its path names. */
async function findSubjects(store: SubjectStore, entries: readonly RequestEntry[]): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (let start = 0; start < entries.length; start += callsAtOnce) {
    // SQLite answers synchronously: other calls run in between.
    if (start > 0) await nextTurn()
    subjects.push(...(await findSome(store, entries.slice(start, start + callsAtOnce))))
  }
  return subjects
}

async function findSome(store: SubjectStore, entries: readonly RequestEntry[]): Promise<Subject[]> {
  const created = await store.findSubjects(entries.flatMap((entry) => findCallId(entry) ?? []))
  const named = entries.map(({ path }) => findTaskId(path))
  const pets = await store.findPets([...new Set(named.flatMap((id) => id ?? []))])
  return entries.map((entry, place) => {
    const taskId = named[place]
    const petId = taskId === undefined ? undefined : pets.get(taskId)
    return petId === undefined ? (created.get(findCallId(entry) ?? '') ?? {}) : { petId, taskId }
  })
}

/** True if the store may have a pet or a task for a call. */
export function mayHaveSubject(entry: RequestEntry): boolean {
  return findCallId(entry) !== undefined || findTaskId(entry.path) !== undefined
}

/** Returns the call ID of the rows that a call created; undefined for refused calls and reads. */
function findCallId({ status, call_id }: RequestEntry): string | undefined {
  return status < 300 ? call_id : undefined
}

function findTaskId(path: string): string | undefined {
  return /^\/v1\/[\w-]+\/tasks\/([\w-]+)$/.exec(path)?.[1]
}
