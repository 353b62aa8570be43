/** The API key: it goes into the header `Authorization` of calls, and nowhere else. */
const stored = 'svc.key'
const storedTasks = 'svc.tasks'

export const getKey = (): string => sessionStorage.getItem(stored) ?? ''

/** Forgets a key that the server does not take; what was begun with it can be gone on with by another one. */
export const dropKey = (): void => sessionStorage.removeItem(stored)

/** Forgets the key, and the tasks that were begun with it. */
export function forgetKey(): void {
  sessionStorage.removeItem(stored)
  sessionStorage.removeItem(storedTasks)
}

/** An avatar task, and what this page knows of its pet that the task does not tell. */
export interface KeptTask {
  readonly id: string
  readonly name?: string
  readonly species?: 'dog' | 'cat'
  /** Name of the photo that this page sent. */
  readonly photo?: string
  /** Its newest animation task; that of a pet without an identity asset is found nowhere else. */
  readonly animation?: string
}

/** The avatar tasks of this tab: what a reload goes on with. */
export function listTasks(): readonly KeptTask[] {
  return JSON.parse(sessionStorage.getItem(storedTasks) ?? '[]') as KeptTask[]
}

/** Keeps which animation was begun for an avatar task. */
export function keepAnimation(avatarId: string, animation: string): void {
  const tasks = listTasks().map((task) => (task.id === avatarId ? { ...task, animation } : task))
  sessionStorage.setItem(storedTasks, JSON.stringify(tasks))
}

export function keepTask(task: KeptTask): void {
  const others = listTasks().filter(({ id }) => id !== task.id)
  sessionStorage.setItem(storedTasks, JSON.stringify([...others, task]))
}

/** Keeps a key for this tab. Answers whether it can be one. */
export function keepKey(text: string): boolean {
  const key = text.trim()
  if (!/^svc_[\w-]{8,200}$/.test(key)) return false
  sessionStorage.setItem(stored, key)
  return true
}

/**
 * Takes over what the address hands on behind `#`, `key=svc_…` and `task=avatar_…`, and removes it from the address bar.
 * Answers whether the key, if there is one, can be one.
 */
export function takeFragment(): boolean {
  const handed = new URLSearchParams(location.hash.slice(1))
  const key = handed.get('key')
  const tasks = handed.getAll('task')
  if (key === null && tasks.length === 0) return true
  history.replaceState(null, '', location.pathname + location.search)
  if (key !== null && key !== getKey()) forgetKey()
  const isKey = key === null || keepKey(key)
  for (const id of tasks) if (/^avatar_\w{1,64}$/.test(id)) keepTask({ id })
  return isKey
}
