import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { create, extract } from 'tar'
import { SvcError } from '../../errors.js'
import { manifestName, refuseAsNone } from './manifest.js'

/** What is read of an archive at a time: unpacked, all of it is in memory, and can be a thousand times as large. */
const pieceBytes = 64 << 10

/** Whether a snapshot of this name is a file, not a folder. */
export function isArchive(path: string): boolean {
  return /\.(tar|tgz|tar\.gz)$/i.test(path)
}

/** Writes a folder into an archive, for its owner alone, and answers its size; whatever has its name is replaced. */
export async function writeArchive(folder: string, target: string): Promise<number> {
  const draft = toDraft(target)
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

/** The same into a folder. */
export function writeFolder(folder: string, target: string): number {
  const draft = toDraft(target)
  try {
    rmSync(draft, { recursive: true, force: true })
    const sizeBytes = copyFolder(folder, draft)
    replaceFolder(draft, target)
    return sizeBytes
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

/** Unpacks a snapshot, an archive or a folder, into a new folder. Throws `invalid_request` where it is neither. */
export async function unpack(snapshot: string, name: string, folder: string): Promise<void> {
  const found = statSync(snapshot, { throwIfNoEntry: false })
  if (found === undefined) throw new SvcError('not_found', `There is no ${name}.`)
  mkdirSync(folder, { mode: 0o700 })
  if (found.isDirectory()) {
    // Before anything is copied: it may be any folder, also the one that is restored into.
    if (!existsSync(join(snapshot, manifestName))) throw refuseAsNone(name)
    copyFolder(snapshot, folder)
    return
  }
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  let sizeBytes = 0
  try {
    await extract({
      file: snapshot,
      cwd: folder,
      strict: true,
      maxReadSize: pieceBytes,
      // For its owner alone, whatever the archive says.
      umask: 0o077,
      // Files and folders alone: a link could lead anywhere. And none that would fill the disk.
      filter(_path, entry) {
        if (!('type' in entry) || !['File', 'Directory'].includes(entry.type)) return false
        sizeBytes += entry.size
        return sizeBytes <= freeBytes
      },
    })
  } catch (cause) {
    if (sizeBytes <= freeBytes) {
      throw new SvcError('invalid_request', `${name} cannot be unpacked: it is no whole archive.`, { cause })
    }
  }
  if (sizeBytes > freeBytes) {
    const message = `${name} does not fit: unpacked it is larger than the ${freeBytes} bytes that are free on the disk.`
    throw new SvcError('unavailable', message)
  }
}

/** Copies files and folders, all for their owner alone, and answers the bytes. Links are left out. */
function copyFolder(from: string, to: string): number {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  let sizeBytes = 0
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) sizeBytes += copyFolder(source, target)
    if (!entry.isFile()) continue
    copyFileSync(source, target)
    chmodSync(target, 0o600)
    syncToDisk(target)
    sizeBytes += statSync(target).size
  }
  return sizeBytes
}

function replaceFolder(draft: string, target: string): void {
  const old = `${target}.${process.pid}.old`
  const isThere = statSync(target, { throwIfNoEntry: false }) !== undefined
  if (isThere) renameSync(target, old)
  renameSync(draft, target)
  syncToDisk(dirname(target))
  rmSync(old, { recursive: true, force: true })
}

const toDraft = (target: string) => `${target}.${process.pid}.partial`

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
