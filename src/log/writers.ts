import { write as writeFile } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SvcError } from '../errors.js'
import type { LogLine, LogLineStore } from '../ports/log-lines.js'
import type { RequestLog } from './request-log.js'

/** Lines are written this long after the first of a group: a crash loses them, and those of a write that runs. */
const groupMs = 50
/** Beyond this lines are dropped: a slow reader must not exhaust the memory. */
const defaultCharactersAtMost = 16 << 20
const retryMsAtMost = 2000

export interface LineGroupOptions<L> {
  readonly linesAtMost: number
  readonly charactersAtMost?: number | undefined
  readonly lengthOf: (line: L) => number
  /** Writes a group. If it rejects, it is called again with the same lines. */
  readonly write: (lines: readonly L[]) => Promise<void>
  /** The place of the lines, for the message of `close`. */
  readonly target: string
}

/** Writes lines in groups, one group after the other, and never keeps the writer of a line waiting. */
export function createLineGroups<L>({
  linesAtMost,
  charactersAtMost = defaultCharactersAtMost,
  lengthOf,
  write,
  target,
}: LineGroupOptions<L>) {
  let waiting: L[] = []
  let waitingCharacters = 0
  /** The group that is written, again and again until it succeeds. */
  let group: readonly L[] = []
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let retryMs = groupMs
  let closed = false

  async function writeGroup(): Promise<void> {
    if (group.length === 0) {
      group = waiting.slice(0, linesAtMost)
      waiting = waiting.slice(group.length)
    }
    await write(group)
    for (const line of group) waitingCharacters -= lengthOf(line)
    group = []
  }

  const hasLines = () => group.length > 0 || waiting.length > 0

  function schedule(delayMs: number): void {
    if (!closed && writing === undefined) timer ??= setTimeout(start, delayMs)
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    writing = writeGroup()
      .then(
        () => {
          retryMs = groupMs
        },
        () => {
          retryMs = Math.min(retryMs * 2, retryMsAtMost)
        },
      )
      .finally(() => {
        writing = undefined
        if (hasLines()) schedule(retryMs)
      })
  }

  return {
    /** Adds a line, unless too many wait. Returns true if it did. */
    add(line: L): boolean {
      if (closed || waitingCharacters > charactersAtMost) return false
      waitingCharacters += lengthOf(line)
      waiting.push(line)
      schedule(groupMs)
      return true
    },
    /** Writes the waiting lines now: one attempt for one group. */
    async flush(): Promise<void> {
      await writing
      if (!closed && writing === undefined && hasLines()) start()
      await writing
    },
    /** Writes the waiting lines, with one attempt a group. Rejects with `unavailable` if lines are lost. */
    async close(): Promise<void> {
      closed = true
      clearTimeout(timer)
      await writing
      try {
        while (hasLines()) await writeGroup()
      } catch (cause) {
        throw new SvcError('unavailable', `The last lines of the log could not be written to ${target}.`, { cause })
      }
    },
  }
}

const writeAgainMs = 20
/** A collector that does not read must not keep the process from its end. */
const lastWritesMs = 2000

const writeTo = promisify(writeFile)

/**
 * Opens a log that is written to a file descriptor, for a collector. Not through `process.stdout`, which blocks the process
 * while the collector does not read.
 */
export function openStreamLog(descriptor: number, instance: string): RequestLog {
  const ending = `,"instance":${JSON.stringify(instance)}}\n`
  let rest: Buffer | undefined
  let giveUpAt = Number.POSITIVE_INFINITY

  async function writeLines(lines: readonly string[]): Promise<void> {
    rest ??= Buffer.from(lines.join(''))
    while (rest.length > 0) {
      try {
        const { bytesWritten } = await writeTo(descriptor, rest)
        rest = rest.subarray(bytesWritten)
      } catch (error) {
        // The pipe is full, and another part of the program has made it non-blocking.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > giveUpAt) throw error
        await delay(writeAgainMs)
      }
    }
    rest = undefined
  }

  const groups = createLineGroups<string>({
    linesAtMost: linesAtOnce,
    lengthOf: ({ length }) => length,
    target: 'standard output',
    write: writeLines,
  })
  return {
    write(entry) {
      groups.add(JSON.stringify(entry).slice(0, -1) + ending)
    },
    flush: groups.flush,
    async close() {
      giveUpAt = performance.now() + lastWritesMs
      await groups.close()
    },
  }
}

/** The bounds of the log are checked with the first lines of a process, and after this number of its own lines. */
const checkedEvery = 5000
/** The bounds include an age, so they are checked without many lines too. */
const checkedEveryMs = 3_600_000
/** PostgreSQL takes 65,535 parameters in a statement. */
const linesAtOnce = 1000
/** A commit of so many deleted rows takes some milliseconds. */
const deletedAtOnce = 2000

/** Opens the log whose lines are rows of a table. The oldest lines of all processes are deleted beyond `linesAtMost`. */
export function openTableLog(store: LogLineStore, instance: string, linesAtMost: number): RequestLog {
  let number = 0
  let unchecked = checkedEvery
  let checkAt = 0
  let checking: Promise<void> | undefined
  const ending = `,"instance":${JSON.stringify(instance)}}`
  const groups = createLineGroups<LogLine>({
    linesAtMost: linesAtOnce,
    lengthOf: ({ text }) => text.length,
    target: 'the table of the log',
    async write(lines) {
      await store.appendLogLines(lines)
      unchecked += lines.length
      if (unchecked < checkedEvery && performance.now() < checkAt) return
      unchecked = 0
      checkAt = performance.now() + checkedEveryMs
      // Lines that could not be deleted are deleted next time.
      checking ??= deleteExcess(store, linesAtMost)
        .catch(() => {})
        .finally(() => {
          checking = undefined
        })
    },
  })
  return {
    write(entry) {
      const text = JSON.stringify(entry).slice(0, -1) + ending
      if (groups.add({ instance, number: number + 1, text })) number++
    },
    flush: groups.flush,
    async close() {
      await groups.close()
      await checking
    },
  }
}

/** Deletes the oldest lines beyond the bounds of the log, in small commits. */
async function deleteExcess(store: LogLineStore, linesAtMost: number): Promise<void> {
  const { first, last } = await store.findLogExcess(linesAtMost)
  for (let from = first; from <= last; from += deletedAtOnce) {
    await store.deleteLogLines({ first: from, last: Math.min(last, from + deletedAtOnce - 1) })
  }
}
