import type { LogLine, LogLineStore } from '../ports/log-lines.js'
import { createLineGroups } from './line-groups.js'
import type { RequestLog } from './request-log.js'

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
