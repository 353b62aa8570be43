import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { create } from 'tar'
import { iterateStoredFiles } from '../../adapters/objects/key.js'
import { copyDatabase } from '../../adapters/sql/upkeep/inspect.js'
import { configName } from '../../config.js'
import { SvcError } from '../../errors.js'
import { type DataDir, openPart } from '../../runtime/data-dir.js'
import { isRunning, syncToDisk } from '../../runtime/durable-files.js'
import { leftoverAgeMs, removeOldLeftovers, snapshotDraftPrefix } from './leftovers.js'

/** The files of a data directory in a snapshot, in addition to the folder `objects`. */
export const databaseName = 'svc.db'
export const singleFiles = ['secret', 'local.key', configName] as const

export interface SnapshotReport {
  readonly path: string
  readonly size_bytes: number
  readonly database_bytes: number
  readonly objects: number
  readonly object_bytes: number
}

/**
 * Copies a data directory into an archive, even while a server uses it: the database at one moment, the stored files that it
 * names, the secret, the local key and the operator's file. The archive is readable by its owner only, and gets its name when
 * it is complete. Throws `conflict` if it exists and `force` is false, and `unavailable` with the path and reason of a system
 * error.
 */
export async function takeSnapshot(dataDir: DataDir, target: string, force: boolean): Promise<SnapshotReport> {
  const path = resolve(target)
  await openPart(target, () => {
    requireFree(dataDir, path, target, force)
    removeOldDrafts(path)
  })
  const draft = join(dataDir.path, `${snapshotDraftPrefix}${process.pid}`)
  await openPart(dataDir.path, () => {
    removeOldLeftovers(dataDir, Date.now())
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(join(draft, 'objects'), { recursive: true, mode: 0o700 })
  })
  try {
    await collect(dataDir, draft)
    const files = [...iterateStoredFiles(join(draft, 'objects'))]
    return {
      path,
      size_bytes: await openPart(target, () => writeArchive(draft, path)),
      database_bytes: statSync(join(draft, databaseName)).size,
      objects: files.length,
      object_bytes: files.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function requireFree(dataDir: DataDir, path: string, name: string, force: boolean): void {
  if (!/\.(tar|tgz|tar\.gz)$/i.test(path)) {
    throw new SvcError('invalid_request', `${name} must end with .tar, .tar.gz or .tgz: a snapshot is an archive.`)
  }
  const inside = relative(resolve(dataDir.path), path)
  if (!(inside.startsWith('..') || inside.startsWith(sep) || resolve(inside) === inside)) {
    throw new SvcError('invalid_request', `${name} is inside the data directory; name a path outside of it.`)
  }
  if (!existsSync(dirname(path))) {
    throw new SvcError('invalid_request', `${name} cannot be written: the folder ${dirname(path)} does not exist.`)
  }
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw new SvcError('conflict', `${name} is a folder, so it is not replaced.`)
  if (found !== undefined && !force) {
    throw new SvcError('conflict', `${name} already exists: name another path, or replace it with --force.`)
  }
}

/** Removes what killed snapshots have left in the same folder: those of other names, which another machine may write, after a day. */
function removeOldDrafts(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    const [, of, pid] = /^(.+\.(?:tar|tar\.gz|tgz))\.(\d+)\.partial$/i.exec(name) ?? []
    if (pid === undefined || isRunning(Number(pid))) continue
    const draft = join(dirname(path), name)
    const changedMs = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (of === basename(path) || Date.now() - changedMs > leftoverAgeMs) rmSync(draft, { force: true })
  }
}

/**
 * Collects the files of a snapshot in `draft`. Links stored files before it copies the database, and newer ones after that:
 * a file is stored before its row and deleted after it, so the copy names no file that is missing.
 */
async function collect(dataDir: DataDir, draft: string): Promise<void> {
  const linkObjects = () =>
    openPart(dataDir.objects, () => {
      for (const { key } of iterateStoredFiles(dataDir.objects)) {
        const place = join(draft, 'objects', key)
        if (existsSync(place)) continue
        mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
        linkOrCopy(join(dataDir.objects, key), place)
      }
    })
  await linkObjects()
  for (const name of singleFiles) {
    const file = join(dataDir.path, name)
    const isThere = await openPart(file, () => copyIfThere(file, join(draft, name)))
    if (isThere) chmodSync(join(draft, name), 0o600)
  }
  await openPart(dataDir.database, () => copyDatabase(dataDir.database, join(draft, databaseName)))
  await linkObjects()
}

/** Hard-links a file, or copies it if the disk has no links. The file may have been deleted meanwhile. */
function linkOrCopy(file: string, target: string): void {
  try {
    linkSync(file, target)
  } catch {
    // Some disks have no links; a missing file cannot be copied either.
    copyIfThere(file, target)
  }
}

function copyIfThere(file: string, target: string): boolean {
  try {
    copyFileSync(file, target)
    return true
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Writes a folder into an archive, and replaces an existing file. Returns the size in bytes. */
async function writeArchive(folder: string, target: string): Promise<number> {
  const draft = `${target}.${process.pid}.partial`
  try {
    const gzip = !/\.tar$/i.test(target)
    // Pictures and clips are compressed already.
    await create(
      { file: draft, cwd: folder, mode: 0o600, portable: true, ...(gzip ? { gzip: { level: 1 } } : {}) },
      readdirSync(folder).sort(),
    )
    syncToDisk(draft)
    renameSync(draft, target)
    syncToDisk(dirname(target))
    return statSync(target).size
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
