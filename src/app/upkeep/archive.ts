import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { create, extract } from 'tar'
import { SvcError } from '../../errors.js'
import { syncToDisk, syncTree } from '../../runtime/sync-to-disk.js'
import { manifestName, toInvalidSnapshot } from './manifest.js'

/** The archive is read in small pieces: an unpacked piece is in memory and can be a thousand times as large. */
const pieceBytes = 64 << 10

/** True if a snapshot of this name is a file, not a folder. */
export function isArchive(path: string): boolean {
  return /\.(tar|tgz|tar\.gz)$/i.test(path)
}

/** Writes a folder into an archive, readable by its owner only, and replaces an existing file. Returns the size in bytes. */
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

/** Copies a folder, and replaces an existing one. Returns the size in bytes. */
export function writeFolder(folder: string, target: string): number {
  const draft = toDraft(target)
  try {
    rmSync(draft, { recursive: true, force: true })
    const sizeBytes = copyFolder(folder, draft)
    syncTree(draft)
    replaceFolder(draft, target)
    return sizeBytes
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

/** Unpacks a snapshot, an archive or a folder, into a new folder. Throws `invalid_request` if it is neither. */
export async function unpack(snapshot: string, name: string, folder: string): Promise<void> {
  const found = statSync(snapshot, { throwIfNoEntry: false })
  if (found === undefined) throw new SvcError('not_found', `${name} does not exist.`)
  mkdirSync(folder, { mode: 0o700 })
  if (found.isDirectory()) {
    // Checked before copying: it may be any folder, even the one to restore.
    if (!existsSync(join(snapshot, manifestName))) throw toInvalidSnapshot(name)
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
      // Readable by the owner only, regardless of the modes in the archive.
      umask: 0o077,
      // Only files and folders: a link could lead anywhere. Stops before the disk is full.
      filter(_path, entry) {
        if (!('type' in entry) || !['File', 'Directory'].includes(entry.type)) return false
        sizeBytes += entry.size
        return sizeBytes <= freeBytes
      },
    })
  } catch (cause) {
    if (sizeBytes <= freeBytes) {
      throw new SvcError('invalid_request', `${name} cannot be unpacked: it is not a complete archive.`, { cause })
    }
  }
  if (sizeBytes > freeBytes) {
    const message = `${name} does not fit: its unpacked size exceeds the ${freeBytes} bytes that are free on the disk.`
    throw new SvcError('unavailable', message)
  }
}

/** Copies files and folders, readable by their owner only, without links. Returns the size in bytes. */
function copyFolder(from: string, to: string): number {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  let sizeBytes = 0
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) sizeBytes += copyFolder(source, target)
    if (!entry.isFile()) continue
    copyFileSync(source, target)
    chmodSync(target, 0o600)
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
