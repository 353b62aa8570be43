import { SvcError } from '../../errors.js'
import type { InsightRecord } from '../../ports/store.js'
import type { ArchiveRow, SqlDatabase } from './database.js'

/** The interval of group commits. A crash loses the rows appended since the last one. */
const groupMs = 20
/** Limits a group, so that a backlog does not block the calls that arrive meanwhile. */
const callsPerGroup = 4000
const retryMsAtMost = 2000
/** Calls are refused if the database has accepted no rows for this time. */
const blockedMsAtMost = 100
/** The maximum time that a group waits for a checkpoint: most end within it. */
const checkpointMsAtMost = 40
/** At 20,000 calls a second: 5 seconds of a database that does not accept rows. */
const callsWaitingAtMost = 100_000
/** Archived records are booked under this endpoint. */
const endpoint = 'health-detail-insights'
const rowsPerCall = 2

export type JournalParts = Pick<SqlDatabase, 'hotQueries' | 'commit' | 'onGroupWritten' | 'syncSoon'>

export function createJournal({ hotQueries, commit, onGroupWritten, syncSoon }: JournalParts) {
  let waiting: ArchiveRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let retryMs = groupMs
  let stopped = false
  /** The time of the first failed attempt since the last success. */
  let blockedSince: number | undefined
  let failure: unknown
  const backlog = createBacklog()

  /** Writes the oldest waiting rows. They leave the queue when they are committed. */
  async function writeGroup(): Promise<void> {
    const rows = waiting.slice(0, callsPerGroup)
    try {
      await commit(() => hotQueries.archive(rows, endpoint).catch(noteFailure))
    } catch (error) {
      blockedSince ??= performance.now()
      retryMs = Math.min(retryMs * 2, retryMsAtMost)
      throw error
    }
    blockedSince = undefined
    retryMs = groupMs
    waiting = waiting.slice(rows.length)
    void syncSoon().then(
      () => backlog.remove(rows.length),
      (error: unknown) => {
        failure = error
      },
    )
    await onGroupWritten({ rows: rows.length * rowsPerCall, waitMs: checkpointMsAtMost })
  }

  /** Also of an attempt that is retried, because another process has the lock. */
  function noteFailure(error: unknown): never {
    blockedSince ??= performance.now()
    throw error
  }

  function isBlocked(): boolean {
    return blockedSince !== undefined && performance.now() - blockedSince > blockedMsAtMost
  }

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeGroup().finally(() => {
      writing = undefined
      // A group that could not be written is retried; `isHealthy` is false meanwhile.
      if (waiting.length > 0) schedule()
    })
    return writing
  }

  function schedule(): void {
    if (!stopped) timer ??= setTimeout(() => write().catch(() => {}), retryMs)
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0 || writing !== undefined) await write()
  }

  return {
    // If `append` would throw, it does so at once.
    findDelay: () => (backlog.isLate && failure === undefined && !isBlocked() ? backlog.wait() : undefined),
    append(record: InsightRecord): void {
      if (failure !== undefined) throw failure
      if (waiting.length >= callsWaitingAtMost || isBlocked()) {
        throw new SvcError('unavailable', 'The service cannot record calls at the moment. Try again later.')
      }
      waiting.push(toArchiveRow(record))
      backlog.add()
      schedule()
    },
    flush,
    /** True if the last group could be written, and groups reach the disk in time. */
    isHealthy: () => retryMs === groupMs && !backlog.isStuck,
    /** Flushes with one attempt per group, and stops. Rejects with `unavailable` if rows are lost. */
    async close(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      try {
        await flush()
      } catch (cause) {
        const calls = waiting.length === 1 ? 'call' : `${waiting.length} calls`
        const message = `The database could not be written: the records of the last ${calls} are lost.`
        throw new SvcError('unavailable', message, { cause })
      } finally {
        backlog.close()
      }
    },
  }
}

function toArchiveRow(record: InsightRecord): ArchiveRow {
  return {
    insight_id: record.insightId,
    request_id: record.requestId,
    call_id: record.callId,
    key_id: record.keyId,
    user_hash: record.userHash,
    pet_hash: record.petHash,
    metric: record.metric,
    view_window: record.viewWindow,
    locale: record.locale,
    status: record.status,
    rule_id: record.ruleId,
    rule_version: record.ruleVersion,
    fact_version: record.factVersion,
    // Nothing reads it. Processes of earlier versions still write it, so the column stays.
    summary_hash: '',
    generated_at: record.generatedAt.getTime(),
  }
}

const tickMs = 20
/** Records may be lost for 100 ms. */
const ticksOnTime = 5
/** After two seconds, the time for which a write waits for the lock of another process. */
const ticksUntilStuck = 100

interface BacklogWaiter {
  resolve(): void
  reject(error: SvcError): void
}

/**
 * Counts the records that are not on disk, and tells when they are late. Counts time in ticks of this process: on a busy machine,
 * the loop may be blocked for longer than the limit, and answers no call meanwhile. A disk that needs longer delays calls, and only
 * one that hangs has them refused.
 */
function createBacklog() {
  let added = 0
  let removed = 0
  /** The count of added records at each of the last ticks. */
  let marks: number[] = []
  let lateTicks = 0
  let timer: NodeJS.Timeout | undefined
  const waiting: BacklogWaiter[] = []

  function tick(): void {
    const mark = marks.length < ticksOnTime ? 0 : (marks.shift() ?? 0)
    marks.push(added)
    lateTicks = removed < mark ? lateTicks + 1 : 0
    if (lateTicks === 0) release()
    else if (isStuck()) refuse()
    if (removed === added) stop()
  }

  const isStuck = () => lateTicks >= ticksUntilStuck

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    marks = []
    lateTicks = 0
  }

  function release(): void {
    for (const { resolve } of waiting.splice(0)) resolve()
  }

  function refuse(): void {
    const message = 'The service cannot record calls at the moment. Try again later.'
    for (const { reject } of waiting.splice(0)) reject(new SvcError('unavailable', message))
  }

  return {
    add() {
      added++
      timer ??= setInterval(tick, tickMs)
    },
    /** Removes the oldest records, which are on disk. */
    remove(count: number) {
      removed += count
      if (lateTicks > 0 && removed >= (marks[0] ?? 0)) {
        lateTicks = 0
        release()
      }
    },
    /** True if a record has waited for 100 ms. */
    get isLate() {
      return lateTicks > 0
    },
    /** True if records are late for two seconds. */
    get isStuck() {
      return isStuck()
    },
    /** Resolves when no record is late. Rejects with `unavailable` as soon as records are stuck. */
    wait: () =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ resolve, reject })
        if (isStuck()) refuse()
      }),
    close() {
      stop()
      refuse()
    },
  }
}
