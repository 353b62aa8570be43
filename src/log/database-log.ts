import type { ServiceClock } from '../ports/clock.js'
import type { LogLine, LogLineStore } from '../ports/log-lines.js'
import { createLineGroups } from './line-groups.js'
import type { LogEntry, RequestLog } from './request-log.js'

export interface DatabaseLogLimits {
  /** The oldest lines of all processes are deleted beyond this number. */
  readonly lines: number
  /** The age at which lines are deleted. */
  readonly ageMs: number
  /** The limits are checked after this number of own lines, and each hour. */
  readonly checkedEvery: number
}

export const defaultDatabaseLimits: DatabaseLogLimits = {
  lines: 500_000,
  ageMs: 30 * 86_400_000,
  checkedEvery: 20_000,
}
const checkedEveryMs = 3_600_000
/** PostgreSQL takes 65,535 parameters in a statement, SQLite 32,766. */
const linesAtOnce = 1000
/** A commit of so many deleted rows takes some milliseconds. */
const deletedAtOnce = 2000

export type LogDatabase = LogLineStore & Pick<ServiceClock, 'now'>

/** Opens a log whose lines are rows of the database: all processes write to it, and each reads all of it. */
export function openDatabaseLog(
  store: LogDatabase,
  instance: string,
  limits: DatabaseLogLimits = defaultDatabaseLimits,
): RequestLog {
  let number = 0
  let latest = 0
  let unchecked = 0
  let checkAt = performance.now() + checkedEveryMs
  let checking: Promise<void> | undefined
  const ending = `,"instance":${JSON.stringify(instance)}}`
  const groups = createLineGroups<LogLine>({
    linesAtMost: linesAtOnce,
    lengthOf: ({ text }) => text.length,
    target: 'the database',
    async write(lines) {
      await store.appendLogLines(lines)
      unchecked += lines.length
      if (unchecked < limits.checkedEvery && performance.now() < checkAt) return
      unchecked = 0
      checkAt = performance.now() + checkedEveryMs
      // Lines that could not be deleted are deleted next time.
      checking ??= deleteOldestLines(store, limits)
        .catch(() => {})
        .finally(() => {
          checking = undefined
        })
    },
  })
  return {
    write(entry) {
      // The clock may be set back; lines are read in the order of their numbers.
      latest = Math.max(latest, Date.parse(entry.time))
      const text = JSON.stringify(entry).slice(0, -1) + ending
      if (groups.add({ instance, number: number + 1, at: latest, ...findColumns(entry), text })) number++
    },
    flush: groups.flush,
    async close() {
      await groups.close()
      await checking
    },
  }
}

function findColumns(entry: LogEntry): Pick<LogLine, 'requestId' | 'callerRequestId' | 'traceId' | 'status'> {
  const isCall = 'status' in entry
  return {
    requestId: ('request_id' in entry ? entry.request_id : undefined) ?? null,
    callerRequestId: (isCall ? entry.caller_request_id : undefined) ?? null,
    traceId: ('trace_id' in entry ? entry.trace_id : undefined) ?? null,
    status: isCall ? entry.status : null,
  }
}

async function deleteOldestLines(store: LogDatabase, limits: DatabaseLogLimits): Promise<void> {
  await deleteLinesBefore(store, new Date(store.now() - limits.ageMs))
  const writers = await store.listLogWriters()
  const kept = writers.reduce((sum, { firstNumber, lastNumber }) => sum + lastNumber - firstNumber + 1, 0)
  for (let excess = kept - limits.lines; excess > 0; ) {
    const deleted = await store.deleteLogLines(Math.min(excess, deletedAtOnce))
    // Another process was faster.
    if (deleted === 0) return
    excess -= deleted
  }
}

/** Deletes the lines that are older than a time, in small commits. Returns their number. */
export async function deleteLinesBefore(store: LogLineStore, before: Date): Promise<number> {
  for (let sum = 0; ; ) {
    const deleted = await store.deleteLogLines(deletedAtOnce, before)
    sum += deleted
    if (deleted < deletedAtOnce) return sum
  }
}
