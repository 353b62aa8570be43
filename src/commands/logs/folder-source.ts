import { toLineFilter } from '../../app/records/filter.js'
import type { OpenRecords } from '../../app/records/open.js'
import { awaitSubjects, createPetTest, mayHaveSubject, type Subject } from '../../app/records/subjects.js'
import { findTaskTrace } from '../../app/records/trace.js'
import type { DataDir } from '../../data-dir.js'
import { isSvcError, SvcError } from '../../errors.js'
import { type Position, type Scan, scanForward } from '../../log/scan.js'
import type { RequestEntry } from '../../log.js'
import { reasonOf } from '../input/reason.js'
import { toPrintable } from '../output/words.js'
import type { CallQuery, CallSource, ShownCall } from './source.js'

const callsAtOnce = 500

/** The calls in the log of a data directory, beside a server or without one. */
export function openFolderSource(dataDir: DataDir, query: CallQuery): CallSource {
  const filter = toLineFilter(query)
  const records = createRecordsOpener(dataDir, query.petId !== undefined)
  let position: Position = new Map()
  let scan: Scan<RequestEntry> | undefined

  async function describe(entries: readonly RequestEntry[]): Promise<readonly ShownCall[]> {
    const known = entries.some(mayHaveSubject) ? await records.get() : undefined
    // Where a pet was asked for, the filter leaves only entries that may have one, and the database is needed.
    if (known === undefined) return entries
    const subjects = await awaitSubjects(known.store, entries, new Date())
    const isAsked = query.petId === undefined ? () => true : createPetTest(query.petId, known.pseudonyms)
    const calls = entries.map((entry, place) => ({ entry, subject: subjects[place] ?? {} }))
    return Promise.all(
      calls.flatMap(({ entry, subject }) => (isAsked(subject) ? [addSubject(known, entry, subject)] : [])),
    )
  }

  async function addSubject(known: OpenRecords, entry: RequestEntry, { petId, taskId }: Subject): Promise<ShownCall> {
    const isTraced = query.requestId !== undefined && taskId !== undefined
    const task = isTraced ? await findTaskTrace(known, taskId, new Date()) : undefined
    return {
      ...entry,
      ...(petId === undefined ? {} : { pet_id: petId }),
      ...(taskId === undefined ? {} : { task_id: taskId }),
      ...(task === undefined ? {} : { task }),
    }
  }

  return {
    everyMs: 200,
    async read() {
      try {
        scan ??= scanForward(dataDir.logs, position, filter)
        const entries = await scan.next(callsAtOnce)
        const isMore = entries.length === callsAtOnce
        if (!isMore) {
          position = scan.position()
          scan = undefined
        }
        return { calls: await describe(entries), isMore }
      } catch (error) {
        throw explain(error, dataDir.logs)
      }
    },
    close: () => records.close(),
  }
}

/** Opens the database when it is needed first. The log can be read without, if nothing was asked that only it knows. */
function createRecordsOpener(dataDir: DataDir, isNeeded: boolean) {
  let records: OpenRecords | undefined
  let isLost = false
  return {
    async get(): Promise<OpenRecords | undefined> {
      if (records !== undefined || isLost) return records
      try {
        // Loaded when it is needed: the database is behind it.
        const { openRecords } = await import('../../app/records/open.js')
        records = await openRecords(dataDir)
      } catch (error) {
        if (isNeeded || !isSvcError(error)) throw error
        isLost = true
        process.stderr.write(`svc: ${toPrintable(error.message)} Pets and tasks are not shown.\n`)
      }
      return records
    },
    async close() {
      await records?.close()
    },
  }
}

/** For the owner of the folder: which file, and why. */
function explain(error: unknown, folder: string): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  if (!isSvcError(error) || !(cause instanceof Error) || !('syscall' in cause)) return error
  const path = 'path' in cause && typeof cause.path === 'string' ? cause.path : folder
  return new SvcError('unavailable', `The log ${path} cannot be read: ${reasonOf(cause)}.`, { cause })
}
