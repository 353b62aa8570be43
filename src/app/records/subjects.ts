import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { EndpointGroup } from '../../access.js'
import type { RequestEntry } from '../../log.js'
import type { CallSubject, LoggedCall, RequestStore } from '../../ports/requests.js'
import type { Pseudonyms } from '../../ports.js'

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
  let subjects = await findSubjects(store, entries)
  const isLate = (entry: RequestEntry, place: number) =>
    subjects[place]?.petId === undefined &&
    entry.path === insightPath &&
    now.getTime() - Date.parse(entry.time) < groupMs * groupsAwaited &&
    mayHaveCreated(entry)
  for (let round = 0; round < groupsAwaited && entries.some(isLate); round++) {
    await delay(groupMs)
    // All of them: by itself a call might get what belongs to another of its ID.
    subjects = await findSubjects(store, entries)
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
  const creating = entries.flatMap((entry) => {
    const call = toLoggedCall(entry)
    return call === undefined ? [] : [{ entry, call }]
  })
  const created = await store.findSubjects(creating.map(({ call }) => call))
  const subjects = new Map(creating.map(({ entry }, place) => [entry, created[place]]))
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

/** Whether a call can have a row of the store to itself. */
function mayHaveCreated(entry: RequestEntry): boolean {
  return toLoggedCall(entry) !== undefined
}

/** As the store knows a call; undefined for one that was refused, or that reads. */
function toLoggedCall(entry: RequestEntry): LoggedCall | undefined {
  const { method, status, path, request_id: requestId, key_id: keyId } = entry
  const endpoint = findEndpoint(path)
  if (method !== 'POST' || status >= 300 || keyId === undefined || endpoint === undefined) return undefined
  const answeredAt = new Date(entry.time)
  const receivedAt = new Date(answeredAt.getTime() - entry.duration_ms)
  // A line that another program wrote may have no time.
  return Number.isNaN(receivedAt.getTime()) ? undefined : { requestId, keyId, endpoint, receivedAt, answeredAt }
}

/** The endpoint group that calls of a path are booked under, if they are. */
export function findEndpoint(path: string): string | undefined {
  return endpoints.get(/^\/v1\/([\w-]+)\//.exec(path)?.[1] ?? '')
}

/** By the first part of the path. */
const endpoints: ReadonlyMap<string, EndpointGroup> = new Map([
  ['pet-avatar', 'pet-avatar'],
  ['pet-avatars', 'pet-avatar'],
  ['pet-animation', 'pet-animation'],
  ['pet-diary-images', 'pet-diary'],
  ['pet-diary-image-libraries', 'pet-diary'],
  ['home-insights', 'home-insights'],
  ['health-detail-insights', 'health-detail-insights'],
])

function findTaskId(path: string): string | undefined {
  return /^\/v1\/[\w-]+\/tasks\/([\w-]+)$/.exec(path)?.[1]
}
