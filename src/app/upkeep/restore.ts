import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inspectDatabase } from '../../adapters/sql/upkeep/inspect.js'
import { createDataDir, type DataDir } from '../../data-dir.js'
import { SvcError } from '../../errors.js'
import { requireAlone } from './alone.js'
import { unpack } from './archive.js'
import { databaseName, type Manifest, manifestName, singleFiles, verifySnapshot } from './manifest.js'
import { snapshotDraftPrefix } from './snapshot.js'

/** What is unpacked is here until it is known to be whole. */
export const restoreDraftName = '.restore-draft'
/** What was replaced, on its way out. */
export const trashName = '.trash'

export interface RestoreReport {
  readonly data_dir: string
  /** When the snapshot was taken. */
  readonly created_at: string
  readonly objects: number
  readonly size_bytes: number
  /** Whether something was there and is gone now. */
  readonly replaced: boolean
  readonly missing: readonly string[]
}

/**
 * Puts what a snapshot holds into a data directory; the log stays. It is unpacked and verified beside what is there, which is
 * touched only then. A process that is killed has changed nothing, or leaves a mark by which all others refuse the folder
 * until `finishRestore`. Throws `conflict` where the folder is not empty and `force` does not say to replace it, or is in use.
 */
export async function restoreSnapshot(
  dataDir: DataDir,
  snapshot: string,
  name: string,
  force: boolean,
): Promise<RestoreReport> {
  if (existsSync(dataDir.restore)) finishRestore(dataDir)
  createDataDir(dataDir.path)
  const taken = listContents(dataDir.path)
  if (taken.length > 0 && !force) {
    throw new SvcError('conflict', `${dataDir.path} is not empty: name another folder, or replace it with --force.`)
  }
  const hold = requireAlone(dataDir)
  const draft = join(dataDir.path, restoreDraftName)
  try {
    rmSync(draft, { recursive: true, force: true })
    await unpack(snapshot, name, draft)
    const manifest = await verifySnapshot(draft, name)
    verifyDatabase(join(draft, databaseName), name)
    // From here on it can only be finished.
    renameSync(draft, dataDir.restore)
    finishRestore(dataDir)
    return toReport(dataDir, manifest, taken.length > 0)
  } finally {
    rmSync(draft, { recursive: true, force: true })
    hold.release()
  }
}

/** Puts in place what lies verified in the folder. Answers whether there was anything. */
export function finishRestore(dataDir: DataDir): boolean {
  const { restore, path } = dataDir
  if (!existsSync(restore)) return false
  const manifest: Manifest = JSON.parse(readFileSync(join(restore, manifestName), 'utf8'))
  const trash = join(path, trashName)
  // What an earlier attempt has moved is not here any more, and in its place already.
  if (existsSync(join(restore, 'objects'))) {
    rmSync(trash, { recursive: true, force: true })
    if (existsSync(dataDir.objects)) renameSync(dataDir.objects, trash)
    renameSync(join(restore, 'objects'), dataDir.objects)
  } else if (!manifest.files.some(({ path: file }) => file.startsWith('objects/'))) {
    rmSync(dataDir.objects, { recursive: true, force: true })
  }
  rmSync(dataDir.workers, { recursive: true, force: true })
  for (const ending of ['-wal', '-shm', '-journal']) rmSync(`${dataDir.database}${ending}`, { force: true })
  for (const file of [...singleFiles, databaseName]) {
    if (existsSync(join(restore, file))) renameSync(join(restore, file), join(path, file))
    else if (!manifest.files.some((entry) => entry.path === file)) rmSync(join(path, file), { force: true })
  }
  // The mark goes in one step, whatever it takes to delete what is left of it.
  const rest = join(path, `${restoreDraftName}-done`)
  rmSync(rest, { recursive: true, force: true })
  renameSync(restore, rest)
  for (const folder of [rest, trash]) rmSync(folder, { recursive: true, force: true })
  return true
}

/** What keeps a folder from being empty: not what a disk brings along, nor what was left behind by a killed process. */
function listContents(folder: string): string[] {
  const isLeftover = (name: string) =>
    name === 'lost+found' ||
    name === trashName ||
    name.startsWith(restoreDraftName) ||
    name.startsWith(snapshotDraftPrefix)
  return readdirSync(folder).filter((name) => !isLeftover(name))
}

function verifyDatabase(file: string, name: string): void {
  const database = inspectDatabase(file, Date.now())
  try {
    const [fault] = database.faults
    if (fault !== undefined) throw new SvcError('invalid_request', `The database in ${name} is damaged: ${fault}.`)
    if (database.unknownMigrations.length > 0) {
      throw new SvcError('invalid_request', `${name} was taken by a newer version of svc. Install that one first.`)
    }
  } finally {
    database.close()
  }
}

function toReport(dataDir: DataDir, { files, created_at, missing }: Manifest, replaced: boolean): RestoreReport {
  return {
    data_dir: dataDir.path,
    created_at,
    objects: files.filter(({ path }) => path.startsWith('objects/')).length,
    size_bytes: files.reduce((total, { size_bytes }) => total + size_bytes, 0),
    replaced,
    missing,
  }
}
