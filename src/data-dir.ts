import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findSystemReason, isSvcError, SvcError } from './errors.js'
import { quote } from './spelling.js'

/** Where things lie in the data directory. */
export interface DataDir {
  readonly path: string
  readonly database: string
  /** What SQLite keeps beside the database. */
  readonly journals: readonly string[]
  readonly secret: string
  readonly localKey: string
  readonly logs: string
  readonly objects: string
  /** Who works here: a file each, locked while its process lives. */
  readonly workers: string
  /** There while what a snapshot holds is being put in place of what was here. */
  readonly restore: string
}

export function describeDataDir(path: string): DataDir {
  return {
    path,
    database: join(path, 'svc.db'),
    journals: ['svc.db-wal', 'svc.db-shm', 'svc.db-journal'].map((name) => join(path, name)),
    secret: join(path, 'secret'),
    localKey: join(path, 'local.key'),
    logs: join(path, 'logs'),
    objects: join(path, 'objects'),
    workers: join(path, 'workers'),
    restore: join(path, '.restore'),
  }
}

/**
 * Makes the data directory, for its owner alone, unless it is there. Throws `unavailable` with the reason, also where a
 * restore was cut short.
 */
export function createDataDir(path: string): DataDir {
  requireWhole(path)
  try {
    if (makeFolders(resolve(path))) chmodSync(path, 0o700)
  } catch (error) {
    const isImpossible = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = isImpossible ? 'no folder can be made there' : reasonOf(error)
    throw new SvcError('unavailable', `Cannot create the data directory ${path}: ${reason}.`, { cause: error })
  }
  return describeDataDir(path)
}

/**
 * Makes a folder and those above it; answers whether it was not there. One by one: of a folder that can never be, such as one
 * in `/proc`, Node's own way tries for ever to make those above.
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
      // Another process was first.
      if (!find(folder)?.isDirectory()) throw error
    }
  }
  return true
}

/** Throws `unavailable` where one half is of a snapshot, or gone, and the other is not. */
export function requireWhole(path: string): void {
  if (!existsSync(describeDataDir(path).restore)) return
  throw new SvcError(
    'unavailable',
    `${path} is being restored or emptied. If that was cut short, finish it with: ` +
      `svc data restore --finish --data-dir ${quote(path)}`,
  )
}

/**
 * The data directory, if a service or a key has been there before. Throws `not_found` otherwise, and `unavailable` where a
 * restore was cut short.
 */
export function requireDataDir(path: string): DataDir {
  requireWhole(path)
  const dataDir = describeDataDir(path)
  if (explain(dataDir.database, () => statSync(dataDir.database, { throwIfNoEntry: false })) !== undefined)
    return dataDir
  throw new SvcError('not_found', `${path} is not a data directory of svc: name it with --data-dir or SVC_DATA_DIR.`)
}

/** Keeps the text of the key `local`, readable by its owner alone, for client commands on the same data directory. */
export function writeLocalKey(dataDir: DataDir, text: string): void {
  draftLocalKey(dataDir, text).keep()
}

/** Writes the key's text beside its file, so that a full disk shows before the key counts; then keep it, or not. */
export function draftLocalKey({ localKey }: DataDir, text: string): { keep(): void; discard(): void } {
  const draft = `${localKey}.${process.pid}`
  const discard = () => rmSync(draft, { force: true })
  try {
    explain(draft, () => writeFileSync(draft, `${text}\n`, { mode: 0o600 }))
  } catch (error) {
    discard()
    throw error
  }
  return { keep: () => explain(localKey, () => renameSync(draft, localKey)), discard }
}

/** The text of the key `local`, or undefined if none is kept. */
export function findLocalKey({ localKey }: DataDir): string | undefined {
  return explain(localKey, () =>
    statSync(localKey, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(localKey, 'utf8').trim(),
  )
}

export function deleteLocalKey({ localKey }: DataDir): void {
  rmSync(localKey, { force: true })
}

/** Opens a part of the data directory. Throws `unavailable` with its path and the reason where the machine refuses. */
export async function openPart<T>(path: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    throw toSvcError(path, error)
  }
}

/** Does what the machine may refuse to do with a part. Throws `unavailable` as `openPart` does. */
export function explain<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toSvcError(path, error)
  }
}

/** What the machine refused, in words; an error of another kind stays what it is. */
function toSvcError(path: string, error: unknown): unknown {
  const cause = isSvcError(error) && error.cause !== undefined ? error.cause : error
  if (isSvcError(cause) || findReason(cause) === undefined) return error
  return new SvcError('unavailable', `Cannot use ${path}: ${reasonOf(cause)}.`, { cause })
}

function reasonOf(error: unknown): string {
  return findReason(error) ?? `${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`
}

/** The codes of SQLite have a word more where it knows more: SQLITE_IOERR_WRITE. */
function findReason(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  return reasons[code] ?? reasons[code.split('_').slice(0, 2).join('_')] ?? findSystemReason(error)
}

/** What means something else, or more, of a data directory than of a file that somebody names. */
const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file of that name',
  EISDIR: 'there is a folder of that name',
  ENOENT: 'the folder is gone',
  SQLITE_BUSY: 'another process holds it',
  SQLITE_CANTOPEN: 'it cannot be opened',
  SQLITE_CORRUPT: 'it is damaged; put back a copy of it',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'it cannot be read or written',
  SQLITE_NOTADB: 'it is not a database of svc; name another folder, or move the file away',
  SQLITE_PROTOCOL: 'another process holds it',
  SQLITE_READONLY: 'it may not be written',
  SQLITE_READONLY_DBMOVED: 'it was replaced meanwhile; start again',
}
