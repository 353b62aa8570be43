/** The session storage entry of the API key, which is sent only in the header `Authorization`. */
const stored = 'svc.key'
const storedTasks = 'svc.tasks'
const storedPet = 'svc.pet'

export const getKey = (): string => sessionStorage.getItem(stored) ?? ''

/** Returns the ID of the only pet that a guest's key may add; undefined if the key is not of a guest. */
export const findGuestPet = (): string | undefined => sessionStorage.getItem(storedPet) ?? undefined

/** Forgets a key that the server rejects, but keeps its tasks for another key. */
export const dropKey = (): void => sessionStorage.removeItem(stored)

/** Forgets the key and the tasks that were created with it. */
export function forgetKey(): void {
  sessionStorage.removeItem(stored)
  sessionStorage.removeItem(storedTasks)
  sessionStorage.removeItem(storedPet)
}

/** The choices of the diary form; the date only if the reader chose it. */
export interface KeptDay {
  readonly weather: string
  readonly location: string
  readonly mood: string
  /** The scene of the holiday. */
  readonly holiday: string
  readonly sceneId: string
  readonly date?: string
}

/** An avatar task, with the facts of its pet that the task does not contain. */
export interface KeptTask {
  readonly id: string
  readonly name?: string
  readonly species?: 'dog' | 'cat'
  /** Name of the photo that this page sent. */
  readonly photo?: string
  /** Its newest animation task, since a pet without an identity asset has no link to it. */
  readonly animation?: string
  /** The choices of its day in the diary form. */
  readonly day?: KeptDay
  /** The diary task that drew this day. */
  readonly diary?: string
}

/** The avatar tasks of this tab, which a reload continues. */
export function listTasks(): readonly KeptTask[] {
  return JSON.parse(sessionStorage.getItem(storedTasks) ?? '[]') as KeptTask[]
}

/** Stores more facts of an avatar task. */
export function keepFacts(avatarId: string, facts: Pick<KeptTask, 'animation' | 'day' | 'diary'>): void {
  const tasks = listTasks().map((task) => (task.id === avatarId ? { ...task, ...facts } : task))
  sessionStorage.setItem(storedTasks, JSON.stringify(tasks))
}

export function keepTask(task: KeptTask): void {
  const others = listTasks().filter(({ id }) => id !== task.id)
  sessionStorage.setItem(storedTasks, JSON.stringify([...others, task]))
}

/** Stores a key for this tab. Returns false if it is malformed. */
export function keepKey(text: string): boolean {
  const key = text.trim()
  if (!/^svc_[\w-]{1,200}$/.test(key)) return false
  sessionStorage.setItem(stored, key)
  return true
}

/**
 * Stores the `key=svc_…`, `pet=…` and `task=avatar_…` of the address's fragment, and removes them from the address bar.
 * Returns false if there is a key and it is malformed.
 */
export function takeFragment(): boolean {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const key = fragment.get('key')
  const pet = fragment.get('pet')
  const tasks = fragment.getAll('task')
  if (key === null && tasks.length === 0) return true
  history.replaceState(null, '', location.pathname + location.search)
  if (key !== null && key !== getKey()) forgetKey()
  const isKey = key === null || keepKey(key)
  if (key !== null && pet !== null && /^[\w-]{1,128}$/.test(pet)) sessionStorage.setItem(storedPet, pet)
  for (const id of tasks) if (/^avatar_\w{1,64}$/.test(id)) keepTask({ id })
  return isKey
}
