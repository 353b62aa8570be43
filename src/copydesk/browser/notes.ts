import { served } from './data.js'
import { listPending, record } from './outbox.js'
import { keep, recall } from './storage.js'

/** Small things that the page remembers by a key: in its program, or for a page from disk in the browser. */
const storageName = 'svc-insight-notes'
const notes = new Map(Object.entries(served === undefined ? readStored() : served.notes))
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
  if (served === undefined) keep(storageName, JSON.stringify(Object.fromEntries(notes)))
  else record({ kind: 'note', key, value: value ?? null })
}

function readStored(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(recall(storageName) ?? '{}')
  } catch {
    // Another page of this address wrote it.
    return {}
  }
}
