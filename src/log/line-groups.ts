import { SvcError } from '../errors.js'

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
