import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findSystemReason, isSvcError, SvcError } from '../errors.js'
import { quote } from '../text/spelling.js'
import { draftOf, syncToDisk, writeDurably } from './durable-files.js'
import { programName } from './program-name.js'
import { findFileShortage } from './reason.js'

/** The paths in a data directory. */
export interface DataDir {
  readonly path: string
  readonly database: string
  /** The files of SQLite next to the database. */
  readonly journals: readonly string[]
  readonly secret: string
  readonly localKey: string
  /** The request log: a database of its own. */
  readonly log: string
  readonly logJournals: readonly string[]
  /** The request log of earlier versions: a folder of files with lines of JSON. */
  readonly formerLogs: string
  readonly objects: string
  /** One file per working process, locked while it lives. */
  readonly workers: string
  /** One file per server with its address and process ID, while it runs. */
  readonly servers: string
  /** Exists while a restore or reset replaces the contents. */
  readonly restore: string
}

export function describeDataDir(path: string): DataDir {
  return {
    path,
    database: join(path, 'svc.db'),
    journals: ['svc.db-wal', 'svc.db-shm', 'svc.db-journal'].map((name) => join(path, name)),
    secret: join(path, 'secret'),
    localKey: join(path, 'local.key'),
    log: join(path, 'log.db'),
    logJournals: ['log.db-wal', 'log.db-shm'].map((name) => join(path, name)),
    formerLogs: join(path, 'logs'),
    objects: join(path, 'objects'),
    workers: join(path, 'workers'),
    servers: join(path, 'servers'),
    restore: join(path, '.restore'),
  }
}

/**
 * Creates the data directory with mode 0700 unless it exists. Throws `unavailable` with the reason, also after an
 * interrupted restore.
 */
export function createDataDir(path: string): DataDir {
  requireNoInterruptedRestore(path)
  try {
    if (makeFolders(resolve(path))) chmodSync(path, 0o700)
  } catch (error) {
    const isImpossible = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = isImpossible ? 'no directory can be made there' : reasonOf(error)
    throw new SvcError('unavailable', `Cannot create the data directory ${path}: ${reason}.`, { cause: error })
  }
  return describeDataDir(path)
}

/**
 * Creates a folder and its parents; returns false if it existed. Creates them one by one: the recursive `mkdir` of Node
 * never returns for a folder that cannot exist, such as one in `/proc`.
 */
function makeFolders(path: string): boolean {
  const find = (folder: string) => statSync(folder, { throwIfNoEntry: false })
  if (find(path)?.isDirectory()) return false
  const missing = [path]
  for (let above = dirname(path); find(above) === undefined; above = dirname(above)) missing.unshift(above)
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Another process may have created it first.
      if (!find(folder)?.isDirectory()) throw error
    }
    syncName(folder)
  }
  return true
}

/** Makes the name of a new folder survive a power loss. */
function syncName(folder: string): void {
  try {
    syncToDisk(dirname(folder))
  } catch (error) {
    // In some folders one may create files, but not open the folder.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
  }
}

/** Throws `unavailable` if a restore or reset has replaced only some of the contents. */
export function requireNoInterruptedRestore(path: string): void {
  if (!existsSync(describeDataDir(path).restore)) return
  throw new SvcError(
    'unavailable',
    `${path} is being restored or emptied. If that was interrupted, run it again, or empty the directory with: ` +
      `${programName()} data reset --data-dir ${quote(path)}`,
  )
}

/**
 * Returns the data directory if it has a database. Throws `not_found` otherwise, and `unavailable` after an interrupted
 * restore.
 */
export function requireDataDir(path: string): DataDir {
  requireNoInterruptedRestore(path)
  const dataDir = describeDataDir(path)
  if (withPathInError(dataDir.database, () => statSync(dataDir.database, { throwIfNoEntry: false })) !== undefined)
    return dataDir
  throw new SvcError('not_found', `No svc data in ${path} yet: run ${programName()} serve, or name it with --data-dir.`)
}

/**
 * Writes the text of the key `local`, with mode 0600 and for client commands on the same data directory, to a draft, so that a
 * full disk shows before the key is valid, and the next start finds the text of a key whose process was killed; then keep or
 * discard it.
 */
export function draftLocalKey({ localKey }: DataDir, text: string): { keep(): void; discard(): void } {
  const draft = draftOf(localKey)
  const discard = () => rmSync(draft, { force: true })
  try {
    withPathInError(draft, () => {
      writeDurably(draft, `${text}\n`)
      syncToDisk(dirname(draft))
    })
  } catch (error) {
    discard()
    throw error
  }
  const keep = () =>
    withPathInError(localKey, () => {
      renameSync(draft, localKey)
      syncToDisk(dirname(localKey))
    })
  return { keep, discard }
}

/** Returns the text of the key `local`, or undefined if there is no such file. */
export function findLocalKey({ localKey }: Pick<DataDir, 'localKey'>): string | undefined {
  return withPathInError(localKey, () =>
    statSync(localKey, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(localKey, 'utf8').trim(),
  )
}

export function deleteLocalKey({ localKey }: DataDir): void {
  rmSync(localKey, { force: true })
}

/** Opens a file or folder of the data directory. Rejects with `unavailable`, its path and the reason if the system refuses. */
export async function openPart<T>(path: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    throw toSvcError(path, error)
  }
}

/** Runs an operation on a file or folder of the data directory. Throws as `openPart` rejects. */
export function withPathInError<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toSvcError(path, error)
  }
}

/** Translates an error of the system or of SQLite; returns other errors as they are. */
function toSvcError(path: string, error: unknown): unknown {
  const cause = isSvcError(error) && error.cause !== undefined ? error.cause : error
  if (isSvcError(cause) || findReason(cause) === undefined) return error
  return new SvcError('unavailable', `Cannot use ${path}: ${reasonOf(cause)}.`, { cause })
}

function reasonOf(error: unknown): string {
  return findReason(error) ?? `${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`
}

/** Extended codes of SQLite have one more word: SQLITE_IOERR_WRITE. */
function findReason(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  const isUnclear = /^SQLITE_(CANTOPEN|IOERR)/.test(code)
  return (
    (isUnclear ? findFileShortage() : undefined) ??
    reasons[code] ??
    reasons[code.split('_').slice(0, 2).join('_')] ??
    findSystemReason(error)
  )
}

/** Codes that mean something else, or more, for a data directory than for a file that a person names. */
const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file of that name',
  EISDIR: 'there is a folder of that name',
  ENOENT: 'the directory does not exist any more',
  SQLITE_BUSY: 'another process holds it',
  SQLITE_CANTOPEN: 'it cannot be opened',
  SQLITE_CORRUPT: 'it is damaged; put back a copy of it',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'it cannot be read or written',
  SQLITE_NOTADB: 'it is not a database of svc; name another directory, or move the file away',
  SQLITE_PROTOCOL: 'another process holds it',
  SQLITE_READONLY: 'it may not be written',
  SQLITE_READONLY_DBMOVED: 'it was replaced meanwhile; start again',
}
