import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SvcError } from './errors.js'

/** Where things lie in the data directory. */
export interface DataDir {
  readonly path: string
  readonly database: string
  readonly secret: string
  readonly localKey: string
  readonly logs: string
}

export function describeDataDir(path: string): DataDir {
  return {
    path,
    database: join(path, 'svc.db'),
    secret: join(path, 'secret'),
    localKey: join(path, 'local.key'),
    logs: join(path, 'logs'),
  }
}

/** Makes the data directory, for its owner alone, unless it is there. Throws `unavailable` with the reason. */
export function createDataDir(path: string): DataDir {
  try {
    if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(path, 0o700)
  } catch (error) {
    throw new SvcError('unavailable', `Cannot create the data directory ${path}: ${reasonOf(error)}.`, { cause: error })
  }
  return describeDataDir(path)
}

/** The data directory, if a service or a key has been there before. Throws `not_found` otherwise. */
export function requireDataDir(path: string): DataDir {
  const dataDir = describeDataDir(path)
  if (existsSync(dataDir.database)) return dataDir
  throw new SvcError('not_found', `${path} is not a data directory of svc: name it with --data-dir or SVC_DATA_DIR.`)
}

/** Keeps the text of the key `local`, readable by its owner alone, for client commands on the same data directory. */
export function writeLocalKey(dataDir: DataDir, text: string): void {
  draftLocalKey(dataDir, text).keep()
}

/** Writes the key's text beside its file, so that a full disk shows before the key counts; then keep it, or not. */
export function draftLocalKey({ localKey }: DataDir, text: string): { keep(): void; discard(): void } {
  const draft = `${localKey}.${process.pid}`
  writeFileSync(draft, `${text}\n`, { mode: 0o600 })
  return { keep: () => renameSync(draft, localKey), discard: () => rmSync(draft, { force: true }) }
}

/** The text of the key `local`, or undefined if none is kept. */
export function findLocalKey({ localKey }: DataDir): string | undefined {
  return existsSync(localKey) ? readFileSync(localKey, 'utf8').trim() : undefined
}

export function deleteLocalKey({ localKey }: DataDir): void {
  rmSync(localKey, { force: true })
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  return (code !== undefined && reasons[code]) || `${code ?? 'unknown error'}`
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'there is a file of that name',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}
