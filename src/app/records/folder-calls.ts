import type { StorageConfig } from '../../config/storage.js'
import { isSvcError, SvcError } from '../../errors.js'
import type { CallQuery, CallSource, LoggedCall, SourceOptions } from '../../log/call-source.js'
import type { RequestEntry } from '../../log/request-log.js'
import { type LogPosition, type LogScan, scanForward } from '../../log/scan.js'
import { describeDataDir } from '../../runtime/data-dir.js'
import { reasonOf } from '../../runtime/reason.js'
import type { Storage } from '../storage/open-storage.js'
import { toLineFilter } from './filter.js'
import { awaitSubjects, createPetTest, mayHaveSubject, type Subject } from './subjects.js'
import { findTaskTrace } from './trace.js'

const callsPerRead = 500

/** Opens the log in a data directory, whether a server runs on it or not. */
export function openFolderCalls(
  config: StorageConfig,
  query: CallQuery,
  { isFollowed, onTrouble }: SourceOptions,
): CallSource {
  const filter = toLineFilter(query)
  const { logs } = describeDataDir(config.dataDir)
  const records = createRecordsOpener(config)
  let position: LogPosition = new Map()
  let scan: LogScan<RequestEntry> | undefined
  /** Entries that were read but not returned yet. */
  let pending: readonly RequestEntry[] | undefined
  let trouble = ''

  async function describe(entries: readonly RequestEntry[]): Promise<readonly LoggedCall[]> {
    // With a pet in the query, the filter keeps only entries that may have one: the database is needed.
    if (!entries.some(mayHaveSubject)) return entries
    const known = await records.get()
    const subjects = await awaitSubjects(known.store, entries, new Date())
    trouble = ''
    const matchesPet = query.petId === undefined ? () => true : createPetTest(query.petId, known.pseudonyms)
    const calls = entries.map((entry, index) => ({ entry, subject: subjects[index] ?? {} }))
    return Promise.all(
      calls.flatMap(({ entry, subject }) => (matchesPet(subject) ? [addSubject(known, entry, subject)] : [])),
    )
  }

  async function addSubject(known: Storage, entry: RequestEntry, { petId, taskId }: Subject): Promise<LoggedCall> {
    const isTraced = query.requestId !== undefined && taskId !== undefined
    const task = isTraced ? await findTaskTrace(known, taskId, new Date()) : undefined
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

  return {
    pollMs: 200,
    async read() {
      try {
        scan ??= scanForward(logs, position, filter)
        pending ??= await scan.next(callsPerRead)
        const calls = await tryToDescribe(pending)
        if (calls === undefined) return { calls: [], isMore: false }
        const isMore = pending.length === callsPerRead
        pending = undefined
        if (!isMore) {
          position = scan.position()
          scan = undefined
        }
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
  let records: Storage | undefined
  return {
    async get(): Promise<Storage> {
      if (records === undefined) {
        // Loaded on demand: it brings the database.
        const { openStorage } = await import('../storage/open-storage.js')
        records = await openStorage(config, { mayCreate: false, urlTtlSeconds: 0 })
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
