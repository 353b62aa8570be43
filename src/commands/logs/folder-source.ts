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

/** The calls in the log of a data directory, beside a server or without one, and what comes after them if that is followed. */
export function openFolderSource(dataDir: DataDir, query: CallQuery, isFollowed: boolean): CallSource {
  const filter = toLineFilter(query)
  const records = createRecordsOpener(dataDir)
  let position: Position = new Map()
  let scan: Scan<RequestEntry> | undefined
  /** What was read and not shown yet. */
  let waiting: readonly RequestEntry[] | undefined
  let trouble = ''

  async function describe(entries: readonly RequestEntry[]): Promise<readonly ShownCall[]> {
    // Where a pet was asked for, the filter leaves only entries that may have one, and the database is needed.
    if (!entries.some(mayHaveSubject)) return entries
    const known = await records.get()
    const subjects = await awaitSubjects(known.store, entries, new Date())
    trouble = ''
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

  /** The log can be read without the database, if nothing was asked that only it knows; else it is waited for. */
  async function tryToDescribe(entries: readonly RequestEntry[]): Promise<readonly ShownCall[] | undefined> {
    const isNeeded = query.petId !== undefined
    try {
      return await describe(entries)
    } catch (error) {
      if (!isSvcError(error) || (isNeeded && !(isFollowed && error.code === 'unavailable'))) throw error
      const consequence = isNeeded ? 'Trying again.' : 'Pets and tasks are not shown.'
      if (error.message !== trouble) process.stderr.write(`svc: ${toPrintable(error.message)} ${consequence}\n`)
      trouble = error.message
      return isNeeded ? undefined : entries
    }
  }

  return {
    everyMs: 200,
    async read() {
      try {
        scan ??= scanForward(dataDir.logs, position, filter)
        waiting ??= await scan.next(callsAtOnce)
        const calls = await tryToDescribe(waiting)
        if (calls === undefined) return { calls: [], isMore: false }
        const isMore = waiting.length === callsAtOnce
        waiting = undefined
        if (!isMore) {
          position = scan.position()
          scan = undefined
        }
        return { calls, isMore }
      } catch (error) {
        throw explain(error, dataDir.logs)
      }
    },
    close: () => records.close(),
  }
}

/** Opens the database when it is needed first. */
function createRecordsOpener(dataDir: DataDir) {
  let records: OpenRecords | undefined
  return {
    async get(): Promise<OpenRecords> {
      if (records === undefined) {
        // Loaded when it is needed: the database is behind it.
        const { openRecords } = await import('../../app/records/open.js')
        records = await openRecords(dataDir)
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
