import { SvcError } from '../../errors.js'
import type { InsightRecord, Journal } from '../../ports.js'
import type { Attempt } from './attempt.js'
import type { ArchiveRow, Direct } from './direct.js'

/** Rows are written together this often; a crash loses what was appended since. */
const groupMs = 20
/** What had to wait is written in groups of this size, so that no single one holds up the calls of its time. */
const callsPerGroup = 4000
const retryMsAtMost = 2000
/** At 20,000 calls a second these are 5 seconds of a database that does not take rows. */
const callsWaitingAtMost = 100_000
/** What is archived is booked as a call of this endpoint. */
const endpoint = 'health-detail-insights'
const rowsPerCall = 2

export interface SqlJournal extends Journal {
  /** Whether the last group could be written. */
  isHealthy(): boolean
  /** Writes what waits, with one try for each group, and takes nothing more. Throws `unavailable` if rows are lost. */
  close(): Promise<void>
}

/** How many calls and rows a written group had. */
export type OnGroupWritten = (rows: number) => Promise<void> | void

export function createJournal(direct: Direct, attempt: Attempt, onGroupWritten: OnGroupWritten): SqlJournal {
  let waiting: ArchiveRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let retryMs = groupMs
  let stopped = false

  /** Writes the oldest rows that wait. They leave the queue when they stand in the database. */
  async function writeGroup(): Promise<void> {
    const rows = waiting.slice(0, callsPerGroup)
    try {
      await attempt(() => direct.archive(rows, endpoint))
    } catch (error) {
      retryMs = Math.min(retryMs * 2, retryMsAtMost)
      throw error
    }
    retryMs = groupMs
    waiting = waiting.slice(rows.length)
    await onGroupWritten(rows.length * rowsPerCall)
  }

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeGroup().finally(() => {
      writing = undefined
      // A group that could not be written stays and is tried again; `isHealthy` says so meanwhile.
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
    append(record) {
      if (waiting.length >= callsWaitingAtMost) {
        throw new SvcError('unavailable', 'The service cannot record calls at the moment. Try again later.')
      }
      waiting.push(toArchiveRow(record))
      schedule()
    },
    flush,
    isHealthy: () => retryMs === groupMs,
    async close() {
      stopped = true
      clearTimeout(timer)
      try {
        await flush()
      } catch (cause) {
        const calls = waiting.length === 1 ? 'call' : `${waiting.length} calls`
        const message = `The database could not be written: the records of the last ${calls} are lost.`
        throw new SvcError('unavailable', message, { cause })
      }
    },
  }
}

function toArchiveRow(record: InsightRecord): ArchiveRow {
  return {
    insight_id: record.insightId,
    request_id: record.requestId,
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
    summary_hash: record.summaryHash,
    generated_at: record.generatedAt.getTime(),
  }
}
