import { type DeskChange, parseChange } from '../serve/change.js'
import { served } from './page.js'
import { forget, keep, listKept, recall } from './storage.js'

/**
 * The changes that the program has not acknowledged yet, the latest of each thing. They are kept in the browser: a reload,
 * a crash of the browser or an end of the program loses no change.
 */
const pending = new Map<string, DeskChange>()
/** The reasons why pending changes cannot be kept. They wait until the reader mends them. */
const refused = new Map<string, string>()
const prefix = 'svc-insight-desk '
const ownName = `${prefix}${Math.random().toString(36).slice(2)}`
const sendDelayMs = 150
const retryDelayMs = 2000
/** The program accepts 1 MiB; a character takes up to 3 bytes. */
const maxBatchLength = 200_000

/** The state of the outbox: all is kept by the program, some is on its way, or the reason why it cannot be. */
export type Keeping = 'kept' | 'sending' | { readonly problem: string }

let listener: (state: Keeping) => void = () => undefined
let timer: ReturnType<typeof setTimeout> | undefined
let sending: Promise<void> | undefined
/** False if the browser could not keep the changes either. */
let isStored = true

/** True if closing the page would lose a change. */
export const wouldLoseChanges = (): boolean => pending.size > 0 && !isStored
export const listPending = (): readonly DeskChange[] => [...pending.values()]

/** Sends changes, now or as soon as the program answers again. A page from disk has no program. */
export function record(...changes: readonly DeskChange[]): void {
  if (served === undefined || changes.length === 0) return
  for (const change of changes) add(change)
  store()
  tellState()
  schedule(sendDelayMs)
}

function add(change: DeskChange): void {
  const name = nameOf(change)
  const parsed = parseChange(change)
  pending.delete(name)
  pending.set(name, change)
  if (typeof parsed === 'string') refused.set(name, parsed)
  else refused.delete(name)
}

/** Starts with the changes that pages before this one left. */
export function startOutbox(onState: (state: Keeping) => void): void {
  if (served === undefined) return
  listener = onState
  addEventListener('pagehide', () => void send(true))
  if (pending.size === 0) return
  tellState()
  schedule(0)
}

/** Resolves when every change is acknowledged. Rejects with the reason if the program does not answer. */
export async function flush(): Promise<void> {
  clearTimeout(timer)
  await sending
  await send(false)
}

/** Asks the program for something. Rejects with an error whose message is for the reader. */
export async function ask<Answer>(action: string, body: unknown, keepalive = false): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(action, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      keepalive,
    })
  } catch {
    throw new Error(
      `The program that serves this page has ended. What you typed is kept in this browser. Start it again: ${served?.command}`,
    )
  }
  const answer = (await response.json()) as Answer & { readonly message?: string }
  if (!response.ok) throw new Error(answer.message ?? `The program answered ${response.status}.`)
  return answer
}

function schedule(delayMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    sending = send(false).catch((error: Error) => {
      listener({ problem: error.message })
      schedule(retryDelayMs)
    })
  }, delayMs)
}

async function send(keepalive: boolean): Promise<void> {
  for (const batch of listBatches()) {
    const changes = batch.map(([, change]) => change)
    // The reasons why changes were not kept, by their places in the request.
    const { refused: reasons } = await ask<{ refused: Record<number, string> }>('change', changes, keepalive)
    for (const [index, [name, change]] of batch.entries()) {
      if (pending.get(name) !== change) continue
      const reason = reasons[index]
      if (reason === undefined) pending.delete(name)
      else refused.set(name, reason)
    }
    store()
  }
  tellState()
}

function listBatches(): (readonly [name: string, change: DeskChange])[][] {
  const batches: (readonly [string, DeskChange])[][] = []
  let length = maxBatchLength
  for (const [name, change] of pending) {
    if (refused.has(name)) continue
    const own = JSON.stringify(change).length
    length += own
    if (length > maxBatchLength) {
      batches.push([])
      length = own
    }
    batches.at(-1)?.push([name, change])
  }
  return batches
}

function tellState(): void {
  const [reason] = refused.values()
  if (reason !== undefined) listener({ problem: `Not saved yet: ${reason}` })
  else listener(pending.size === 0 ? 'kept' : 'sending')
}

function store(): void {
  if (pending.size === 0) {
    isStored = true
    for (const name of left.splice(0)) forget(name)
    forget(ownName)
  } else isStored = keep(ownName, [...pending.values()])
}

function nameOf(change: DeskChange): string {
  if (change.kind === 'note') return `note ${change.key}`
  if (change.kind === 'draft') return `draft ${change.id} ${change.locale}`
  return `comment ${change.kind === 'comment' ? change.comment.id : change.id}`
}

/** The names under which pages before this one left changes. */
const left: string[] = served === undefined ? [] : [...listKept(prefix)]
for (const name of left) {
  for (const change of readChanges(name)) add(change)
}

function readChanges(name: string): readonly DeskChange[] {
  // A change that is too long stays pending, for the reader to shorten.
  const isChange = ({ kind }: DeskChange) => ['note', 'comment', 'no-comment', 'draft'].includes(kind)
  return recall(name, (kept: readonly DeskChange[]) => kept.filter(isChange)) ?? []
}
