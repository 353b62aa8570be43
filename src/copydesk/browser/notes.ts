import { listPending, record } from './outbox.js'
import { served } from './page.js'
import { keep, recall } from './storage.js'

/** Small things that the page remembers by a key: in its program, or for a page from disk in the browser. */
const storageName = 'svc-insight-notes'
const stored = served?.notes ?? recall(storageName, (kept: Readonly<Record<string, string>>) => kept)
const notes = new Map(Object.entries(stored ?? {}))
for (const change of listPending()) {
  if (change.kind !== 'note') continue
  if (change.value === null) notes.delete(change.key)
  else notes.set(change.key, change.value)
}

export const getNote = (key: string): string | undefined => notes.get(key)

/** Remembers a value; undefined removes it. */
export function setNote(key: string, value: string | undefined): void {
  if (notes.get(key) === value) return
  if (value === undefined) notes.delete(key)
  else notes.set(key, value)
  if (served === undefined) keep(storageName, Object.fromEntries(notes))
  else record({ kind: 'note', key, value: value ?? null })
}
