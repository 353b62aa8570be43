import type { StorageConfig } from '../../config/storage.js'
import { isSvcError, isUnavailable, SvcError } from '../../errors.js'
import type { CallQuery, CallSource, LoggedCall, SourceOptions } from '../../log/call-source.js'
import { createFolderReader } from '../../log/folder-reader.js'
import type { LogReader, LogScan, RequestEntry } from '../../log/request-log.js'
import { streamReader } from '../../log/stdout-log.js'
import { describeDataDir } from '../../runtime/data-dir.js'
import { reasonOf } from '../../runtime/reason.js'
import { chooseLogPlace } from '../storage/log.js'
import { toEntryFilter } from './filter.js'
import type { OpenRecords } from './open.js'
import { awaitSubjects, createPetTest, mayHaveSubject, type Subject } from './subjects.js'
import { findTaskTrace } from './trace.js'

const callsPerRead = 500

/** Opens the log of a service, whether a server runs or not. Throws `not_found` if the log goes to standard output. */
export function openFolderCalls(
  config: StorageConfig,
  query: CallQuery,
  { isFollowed, onTrouble }: SourceOptions,
): CallSource {
  const filter = toEntryFilter(query)
  const place = chooseLogPlace(config)
  const { logs } = describeDataDir(config.dataDir)
  const records = createRecordsOpener(config)
  const folderReader = createFolderReader(logs)
  let cursor: string | undefined
  let scan: LogScan<RequestEntry> | undefined
  /** Entries that were read but not returned yet. */
  let pending: readonly RequestEntry[] | undefined
  let trouble = ''

  async function describe(entries: readonly RequestEntry[]): Promise<readonly LoggedCall[]> {
    // With a pet in the query, the filter keeps only entries that may have one: the database is needed.
    if (!entries.some(mayHaveSubject)) return entries
    const known = await records.get()
    const subjects = await awaitSubjects(known.store, entries, new Date(known.store.now()))
    trouble = ''
    const matchesPet = query.petId === undefined ? () => true : createPetTest(query.petId, known.pseudonyms)
    const calls = entries.map((entry, index) => ({ entry, subject: subjects[index] ?? {} }))
    return Promise.all(
      calls.flatMap(({ entry, subject }) => (matchesPet(subject) ? [addSubject(known, entry, subject)] : [])),
    )
  }

  async function addSubject(known: OpenRecords, entry: RequestEntry, { petId, taskId }: Subject): Promise<LoggedCall> {
    const isTraced = query.requestId !== undefined && taskId !== undefined
    const task = isTraced ? await findTaskTrace(known, taskId, new Date(known.store.now())) : undefined
    return { ...entry, pet_id: petId, task_id: taskId, task }
  }

  /** Reads without the database if the query does not need it; else waits for the database. */
  async function tryToDescribe(entries: readonly RequestEntry[]): Promise<readonly LoggedCall[] | undefined> {
    const isNeeded = query.petId !== undefined
    try {
      return await describe(entries)
    } catch (error) {
      if (!isSvcError(error) || (isNeeded && !(isFollowed && error.code === 'unavailable'))) throw error
      const consequence = isNeeded ? 'Trying again.' : 'Pets and tasks are not shown.'
      if (error.message !== trouble) onTrouble(`${error.message} ${consequence}`)
      trouble = error.message
      return isNeeded ? undefined : entries
    }
  }

  async function findReader(): Promise<LogReader> {
    if (place === 'stdout') return streamReader
    return place === 'folder' ? folderReader : (await records.get()).log
  }

  /** Returns the next entries; undefined if the database is to be asked again. */
  async function readEntries(): Promise<readonly RequestEntry[] | undefined> {
    try {
      scan ??= (await findReader()).scanForward(cursor, filter)
      return await scan.next(callsPerRead)
    } catch (error) {
      if (place !== 'database' || !isFollowed || !isUnavailable(error)) throw error
      // The scan may have lost lines that it read, so the next one begins at the last cursor.
      scan = undefined
      if (error.message !== trouble) onTrouble(`${error.message} Trying again.`)
      trouble = error.message
      return undefined
    }
  }

  return {
    pollMs: 200,
    async read() {
      try {
        pending ??= await readEntries()
        if (pending === undefined || scan === undefined) return { calls: [], isMore: false }
        const calls = await tryToDescribe(pending)
        if (calls === undefined) return { calls: [], isMore: false }
        const isMore = pending.length === callsPerRead
        pending = undefined
        cursor = scan.cursor()
        if (!isMore) scan = undefined
        return { calls, isMore }
      } catch (error) {
        throw withLogPath(error, logs)
      }
    },
    close: () => records.close(),
  }
}

/** Opens the database on first use. */
function createRecordsOpener(config: StorageConfig) {
  let records: OpenRecords | undefined
  return {
    async get(): Promise<OpenRecords> {
      if (records === undefined) {
        // Loaded on demand: it brings the database.
        const { openRecords } = await import('./open.js')
        records = await openRecords(config)
      }
      return records
    },
    async close() {
      await records?.close()
    },
  }
}

/** Adds the path of the file and the reason, for the owner of the folder. */
function withLogPath(error: unknown, folder: string): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  if (!isSvcError(error) || !(cause instanceof Error) || !('syscall' in cause)) return error
  const path = 'path' in cause && typeof cause.path === 'string' ? cause.path : folder
  return new SvcError('unavailable', `The log ${path} cannot be read: ${reasonOf(cause)}.`, { cause })
}
