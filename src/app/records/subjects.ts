import type { RequestEntry } from '../../log.js'
import type { CallSubject, RequestStore } from '../../ports/requests.js'

/** Between clocks that are read one after the other. All that was booked in the time of a call is looked through. */
const slackMs = 5

export type Subject = Partial<CallSubject>

/** Of each call the pet and the task it was about: the one that it created, or that its path names. */
export async function findSubjects(
  store: Pick<RequestStore, 'findSubjects' | 'findPets'>,
  entries: readonly RequestEntry[],
): Promise<Subject[]> {
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

/** Whether a call can have a row of the store to itself: one that was refused, or that reads, has none. */
export function mayHaveCreated({ method, status }: RequestEntry): boolean {
  return method === 'POST' && status < 300
}

function toLoggedCall({ request_id: requestId, time, duration_ms: durationMs }: RequestEntry) {
  const answeredAt = Date.parse(time)
  return { requestId, from: new Date(answeredAt - durationMs - slackMs), to: new Date(answeredAt) }
}

function findTaskId(path: string): string | undefined {
  return /^\/v1\/[\w-]+\/tasks\/([\w-]+)$/.exec(path)?.[1]
}
