import { openSqliteLog } from '../../adapters/sql/sqlite/log-file.js'
import type { StorageConfig } from '../../config/storage.js'
import { isSvcError, isUnavailable } from '../../errors.js'
import type { CallQuery, CallSource, LoggedCall, SourceOptions } from '../../log/call-source.js'
import type { RequestEntry } from '../../log/request-log.js'
import type { LogLineStore } from '../../ports/log-lines.js'
import { describeDataDir, openPart } from '../../runtime/data-dir.js'
import { onDemand } from '../clip-loops.js'
import { describeFormerLogs, requireReadableLog } from '../storage/log.js'
import { openStorage, type Storage } from '../storage/open-storage.js'
import { type CallScan, scanCalls, sortByTime } from './records.js'
import { awaitSubjects, createPetTest, mayHaveSubject, type Subject } from './subjects.js'
import { findTaskTrace } from './trace.js'

const callsPerRead = 500

/** Opens the log of a service, whether a server runs or not. Throws `not_found` if the log goes to standard output. */
export function openFolderCalls(
  config: StorageConfig,
  query: CallQuery,
  { isFollowed, onTrouble }: SourceOptions,
): CallSource {
  requireReadableLog(config)
  const dataDir = describeDataDir(config.dataDir)
  /** Of a folder. It can be read without the database of the service, also if that is damaged. */
  const file = config.database === '' ? openSqliteLog(dataDir.log) : undefined
  const records = onDemand(() => openStorage(config, { mayCreate: false, urlTtlSeconds: 0 }))
  const former = describeFormerLogs(dataDir)
  if (former !== undefined) onTrouble(former)
  let cursor: string | undefined
  let scan: CallScan | undefined
  /** Entries that were read but not returned yet. */
  let pending: readonly RequestEntry[] | undefined
  let trouble = ''

  async function describe(entries: readonly RequestEntry[]): Promise<readonly LoggedCall[]> {
    // With a pet in the query, the filter keeps only entries that may have one: the database is needed.
    if (!entries.some(mayHaveSubject)) return entries
    const known = await records.get()
    const calls = await awaitSubjects(known.store, entries, new Date(known.store.now()))
    trouble = ''
    const matchesPet = createPetTest(query.petId, known.pseudonyms)
    return Promise.all(
      calls.flatMap(({ entry, subject }) => (matchesPet(subject) ? [addSubject(known, entry, subject)] : [])),
    )
  }

  async function addSubject(known: Storage, entry: RequestEntry, { petId, taskId }: Subject): Promise<LoggedCall> {
    const isTraced = query.requestId !== undefined && taskId !== undefined
    const task = isTraced
      ? await findTaskTrace({ ...known, log: file ?? known.store }, taskId, new Date(known.store.now()))
      : undefined
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

  async function readLog(log: LogLineStore): Promise<readonly RequestEntry[]> {
    scan ??= scanCalls(log, query, { cursor })
    return sortByTime(await scan.next(callsPerRead))
  }

  /** Returns the next entries; undefined if the database is to be asked again. */
  async function readEntries(): Promise<readonly RequestEntry[] | undefined> {
    try {
      if (file !== undefined) return await openPart(dataDir.log, () => readLog(file))
      return await readLog((await records.get()).store)
    } catch (error) {
      // The next scan begins at the last cursor.
      scan = undefined
      if (!isFollowed || !isUnavailable(error)) throw error
      if (error.message !== trouble) onTrouble(`${error.message} Trying again.`)
      trouble = error.message
      return undefined
    }
  }

  return {
    pollMs: 200,
    async read() {
      pending ??= await readEntries()
      if (pending === undefined || scan === undefined) return { calls: [], isMore: false }
      const calls = await tryToDescribe(pending)
      if (calls === undefined) return { calls: [], isMore: false }
      const isMore = pending.length === callsPerRead
      pending = undefined
      cursor = scan.cursor()
      if (!isMore) scan = undefined
      return { calls, isMore }
    },
    async close() {
      await file?.close()
      await records.close((storage) => storage.close())
    },
  }
}
