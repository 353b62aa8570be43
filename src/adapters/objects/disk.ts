import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SvcError } from '../../errors.js'
import type { ByteRange, ObjectStore, OpenObject, UrlSignatures } from '../../ports/objects.js'
import { joinInTurns } from '../../runtime/turns.js'
import { contentTypeOf, isObjectKey, iterateStoredFiles } from './key.js'

/** Objects are written here until they are complete: on the same disk, under a name that no key has. */
const draftsFolder = '.drafts'
/** An older draft was left by a crash. */
const draftLifeMs = 600_000
const pieceBytes = 256 << 10

/**
 * Stores objects as files below `folder`, which is created if necessary, readable by its owner only. The folder is
 * checked synchronously, because starting other threads would cost every start more than the check.
 */
export function openDiskObjects(folder: string, signatures: UrlSignatures, lifeMs = draftLifeMs): ObjectStore {
  const drafts = join(folder, draftsFolder)
  mkdirSync(drafts, { recursive: true, mode: 0o700 })
  let lookAgainAt = 0
  let making: Promise<void> = Promise.resolve()
  const pathOf = (key: string) => (isObjectKey(key) ? join(folder, key) : undefined)

  /** Runs periodically: a draft left by a crash is too new to be recognized when the next process starts at once. */
  function clearDrafts(): void {
    if (performance.now() < lookAgainAt) return
    lookAgainAt = performance.now() + lifeMs
    deleteOldDrafts(drafts, lifeMs)
  }

  /** Storing takes precedence: old drafts are removed by a later run. */
  function tryToClearDrafts(): void {
    try {
      clearDrafts()
    } catch {
      // A problem of the folder shows when an object is stored.
    }
  }

  clearDrafts()

  /** A file that is stored in a folder that another call creates waits until the folder's name is durable. */
  function makeFoldersInTurn(path: string): Promise<void> {
    const made = making.then(() => makeFolders(path))
    making = made.catch(() => {})
    return made
  }

  async function openObject(key: string): Promise<OpenObject | undefined> {
    const path = pathOf(key)
    const file = path === undefined ? undefined : await open(path, 'r').catch(ifMissing)
    return file && describeFile(key, file)
  }

  return {
    async put(key, bytes) {
      const path = pathOf(key)
      if (path === undefined) throw new SvcError('invalid_request', 'This is not an object key.')
      tryToClearDrafts()
      const draft = join(drafts, randomBytes(12).toString('hex'))
      try {
        await writeFile(draft, bytes, { flag: 'wx', mode: 0o600, flush: true })
        await moveInto(draft, path, makeFoldersInTurn)
        await syncFolder(dirname(path))
      } catch (cause) {
        // A remaining draft is removed when it is old.
        await rm(draft, { force: true }).catch(() => {})
        throw new SvcError('unavailable', 'The file cannot be stored right now.', { cause })
      }
    },

    async get(key, range) {
      const object = await openObject(key)
      if (object === undefined) throw new SvcError('not_found', 'There is no such object.')
      const pieces: Uint8Array[] = []
      for await (const piece of object.stream(range)) pieces.push(piece)
      return joinInTurns(pieces)
    },

    async findHead(key) {
      const path = pathOf(key)
      const found = path === undefined ? undefined : await stat(path).catch(ifMissing)
      return found?.isFile() ? { sizeBytes: found.size, contentType: contentTypeOf(key) } : undefined
    },

    open: openObject,

    async delete(key) {
      const path = pathOf(key)
      if (path === undefined) return
      try {
        await unlinkIfThere(path)
        // The system refuses to remove a folder that is not empty; an empty one is harmless.
        await rmdir(dirname(path)).catch(() => {})
        // Also if the file was missing: an earlier call may have failed to sync.
        await syncNearestFolder(dirname(path))
      } catch (cause) {
        throw new SvcError('unavailable', 'The file cannot be deleted right now.', { cause })
      }
    },

    async *list(prefix) {
      for (const object of iterateStoredFiles(folder)) if (object.key.startsWith(prefix)) yield object
    },

    signUrl: signatures.sign,
  }
}

async function describeFile(key: string, file: FileHandle): Promise<OpenObject | undefined> {
  const found = await file.stat({ bigint: true })
  if (!found.isFile()) {
    await file.close()
    return undefined
  }
  const sizeBytes = Number(found.size)
  return {
    sizeBytes,
    contentType: contentTypeOf(key),
    // A file never changes after it has its name, so its inode and time identify its content.
    version: [found.ino, found.mtimeNs, found.size].map((part) => part.toString(36)).join('-'),
    stream: (range = { start: 0, end: sizeBytes - 1 }) => streamFile(file, range, sizeBytes),
    close: () => file.close(),
  }
}

function streamFile(file: FileHandle, { start, end }: ByteRange, sizeBytes: number): ReadableStream<Uint8Array> {
  let at = start
  const stopAt = Math.min(end + 1, sizeBytes)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await readPiece(file, at, Math.min(pieceBytes, stopAt - at))
          at += piece.length
          if (piece.length > 0) return controller.enqueue(piece)
        } catch (cause) {
          await file.close()
          throw new SvcError('unavailable', 'The file cannot be read right now.', { cause })
        }
        await file.close()
        controller.close()
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  )
}

/** Returns an empty array at the end of the file. */
async function readPiece(file: FileHandle, at: number, bytes: number): Promise<Uint8Array> {
  if (bytes <= 0) return Buffer.alloc(0)
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(bytes), 0, bytes, at)
  if (bytesRead === 0) throw new Error('The file ends before its size.')
  return buffer.subarray(0, bytesRead)
}

const movesAtMost = 20

/** The folder may be removed concurrently with its last file. */
async function moveInto(draft: string, path: string, makeFolders: (folder: string) => Promise<void>): Promise<void> {
  for (let moves = 1; ; moves++) {
    try {
      await makeFolders(dirname(path))
      return await rename(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || moves === movesAtMost) throw error
    }
  }
}

/** Creates missing folders; their names are durable before files are stored in them. */
async function makeFolders(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    // A folder at the path is not an object, but must not remain unnoticed.
    if (!isMissing(error) || isFolder(error)) throw error
  }
}

/** Makes a removed name durable, or the removal of its folder. */
async function syncNearestFolder(path: string): Promise<void> {
  try {
    await syncFolder(path)
  } catch (error) {
    if (!isMissing(error)) throw error
    await syncNearestFolder(dirname(path))
  }
}

function deleteOldDrafts(drafts: string, lifeMs: number): void {
  for (const name of readdirSync(drafts)) {
    const draft = join(drafts, name)
    const entry = statSync(draft, { throwIfNoEntry: false })
    if (entry?.isFile() && Date.now() - entry.mtimeMs > lifeMs) rmSync(draft, { force: true })
  }
}

/** True if there is no file at the path, also if the path is a folder or lies below a file. */
function isMissing(error: unknown): boolean {
  return isFolder(error) || ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function isFolder(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EISDIR'
}

function ifMissing(cause: unknown): undefined {
  if (isMissing(cause)) return undefined
  throw new SvcError('unavailable', 'The file cannot be read right now.', { cause })
}
