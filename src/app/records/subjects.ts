import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { RequestEntry } from '../../log.js'
import type { CallSubject, RequestStore } from '../../ports/requests.js'
import type { Pseudonyms } from '../../ports.js'

/** Between clocks that are read one after the other. All that was booked in the time of a call is looked through. */
const slackMs = 2
const callsAtOnce = 100

/** The rows of health insights are written in groups, a moment after the answer; those of tasks stand before it. */
const insightPath = '/v1/health-detail-insights/generate'
const groupMs = 40
const groupsAwaited = 4

export type Subject = Partial<CallSubject>

type SubjectStore = Pick<RequestStore, 'findSubjects' | 'findPets'>

/** The subjects of calls, even if the rows of some that were answered just now are still being written. */
export async function awaitSubjects(
  store: SubjectStore,
  entries: readonly RequestEntry[],
  now: Date,
): Promise<Subject[]> {
  const subjects = await findSubjects(store, entries)
  const isLate = ({ path, time }: RequestEntry) =>
    path === insightPath && now.getTime() - Date.parse(time) < groupMs * groupsAwaited
  for (let round = 0; round < groupsAwaited; round++) {
    const late = entries.flatMap((entry, place) =>
      subjects[place]?.petId === undefined && mayHaveCreated(entry) && isLate(entry) ? [{ entry, place }] : [],
    )
    if (late.length === 0) break
    await delay(groupMs)
    const found = await findSubjects(
      store,
      late.map(({ entry }) => entry),
    )
    for (const [index, { place }] of late.entries()) subjects[place] = found[index] ?? {}
  }
  return subjects
}

/** A pet is found by its ID, and by the hash that stands for it where the ID is not kept. */
export function createPetTest(petId: string, pseudonyms: Pick<Pseudonyms, 'pet'>): (subject: Subject) => boolean {
  const names = [petId, pseudonyms.pet(petId)]
  return (subject) => names.includes(subject.petId ?? '')
}

/** Of each call the pet and the task it was about: the one that it created, or that its path names. */
async function findSubjects(store: SubjectStore, entries: readonly RequestEntry[]): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (let start = 0; start < entries.length; start += callsAtOnce) {
    // The database answers at once: other calls get their turn in between.
    if (start > 0) await nextTurn()
    subjects.push(...(await findSome(store, entries.slice(start, start + callsAtOnce))))
  }
  return subjects
}

async function findSome(store: SubjectStore, entries: readonly RequestEntry[]): Promise<Subject[]> {
  const creating = entries.filter(mayHaveCreated)
  const created = await store.findSubjects(creating.map(toLoggedCall))
  const subjects = new Map(creating.map((entry, place) => [entry, created[place]]))
  const named = entries.map(({ path }) => findTaskId(path))
  const pets = await store.findPets([...new Set(named.flatMap((id) => id ?? []))])
  return entries.map((entry, place) => {
    const taskId = named[place]
    const petId = taskId === undefined ? undefined : pets.get(taskId)
    return petId === undefined ? (subjects.get(entry) ?? {}) : { petId, taskId }
  })
}

/** Whether the store can know of a call: one that it cannot need not be looked up. */
export function mayHaveSubject(entry: RequestEntry): boolean {
  return mayHaveCreated(entry) || findTaskId(entry.path) !== undefined
}

/** Whether a call can have a row of the store to itself: one that was refused, or that reads, has none. */
function mayHaveCreated({ method, status }: RequestEntry): boolean {
  return method === 'POST' && status < 300
}

function toLoggedCall({ request_id: requestId, time, duration_ms: durationMs }: RequestEntry) {
  const answeredAt = Date.parse(time)
  return { requestId, from: new Date(answeredAt - durationMs - slackMs), to: new Date(answeredAt) }
}

function findTaskId(path: string): string | undefined {
  return /^\/v1\/[\w-]+\/tasks\/([\w-]+)$/.exec(path)?.[1]
}
