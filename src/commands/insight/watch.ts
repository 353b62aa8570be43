import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shippedUrl } from '../../entry.js'
import { SvcError } from '../../errors.js'
import { reasonOf } from '../input/reason.js'
import { findStats, isPattern, toPatternFolder } from '../input/sources.js'

/** Several writes of one save arrive within this time. */
const settleMs = 60

/**
 * Calls `onChange` at once, and again whenever a file that the arguments name, or a text of the catalog, was saved; until
 * `signal` aborts. Throws `invalid_request` for a folder that cannot be watched, and what `onChange` throws.
 */
export async function watchPaths(
  args: readonly string[],
  onChange: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const watchers: FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  try {
    await new Promise<void>((resolve, reject) => {
      const run = () => {
        running = running.then(onChange).catch(reject)
      }
      const notice = () => {
        clearTimeout(timer)
        timer = setTimeout(run, settleMs)
      }
      for (const place of [toPlace(fileURLToPath(shippedUrl('catalog/insight/'))), ...args.map(toPlace)]) {
        watchers.push(watchPlace(place, notice, reject))
      }
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
      run()
    })
  } finally {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
    await running
  }
}

interface Place {
  readonly folder: string
  readonly recursive: boolean
  /** The one file in it that counts; undefined: all do, also those to come. */
  readonly name?: string
}

/** A file is watched through its folder: editors save by putting a new file in its place. */
function toPlace(arg: string): Place {
  if (findStats(arg)?.isDirectory()) return { folder: arg, recursive: true }
  return isPattern(arg) ? toPatternFolder(arg) : { folder: dirname(arg), recursive: false, name: basename(arg) }
}

function watchPlace(
  { folder, recursive, name }: Place,
  notice: () => void,
  onFault: (error: unknown) => void,
): FSWatcher {
  try {
    return watch(folder, { recursive }, (_event, changed) => {
      if (name === undefined || changed === null || changed === name) notice()
    }).on('error', (error: NodeJS.ErrnoException) => {
      // A folder in it that goes while it is looked at.
      if (error.code !== 'ENOENT') onFault(toFault(folder, error))
    })
  } catch (error) {
    throw toFault(folder, error)
  }
}

function toFault(folder: string, cause: unknown): SvcError {
  // Of a watch that is no full disk.
  const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
  const reason = isFull ? 'the system watches as many files as it may' : reasonOf(cause)
  return new SvcError('invalid_request', `${folder} cannot be watched: ${reason}.`, { cause })
}
