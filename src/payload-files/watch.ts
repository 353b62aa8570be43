import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { SvcError } from '../errors.js'
import { reasonOf } from '../runtime/reason.js'
import { findStats, isPattern, toPatternFolder } from './sources.js'

/** One save may write several times within this time. */
const debounceMs = 60

/**
 * Calls `onChange` at once, and again whenever a file that the arguments name is saved, until `signal` aborts.
 * Rejects with `invalid_request` for a folder that cannot be watched, and with any error of `onChange`.
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
      const notify = () => {
        clearTimeout(timer)
        timer = setTimeout(run, debounceMs)
      }
      for (const arg of args) {
        watchers.push(watchTarget(toTarget(arg), notify, reject))
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

interface WatchTarget {
  readonly folder: string
  readonly recursive: boolean
  /** The file to watch in the folder; undefined: all files, including new ones. */
  readonly name?: string
}

/** Watches a file through its folder, because editors replace the file when they save. */
function toTarget(arg: string): WatchTarget {
  if (findStats(arg)?.isDirectory()) return { folder: arg, recursive: true }
  return isPattern(arg) ? toPatternFolder(arg) : { folder: dirname(arg), recursive: false, name: basename(arg) }
}

function watchTarget(
  { folder, recursive, name }: WatchTarget,
  notify: () => void,
  onError: (error: unknown) => void,
): FSWatcher {
  try {
    return watch(folder, { recursive }, (_event, changed) => {
      if (name === undefined || changed === null || changed === name) notify()
    }).on('error', (error: NodeJS.ErrnoException) => {
      // A subfolder was deleted while it was read.
      if (error.code !== 'ENOENT') onError(toWatchError(folder, error))
    })
  } catch (error) {
    throw toWatchError(folder, error)
  }
}

function toWatchError(folder: string, cause: unknown): SvcError {
  // For a watch, ENOSPC means the limit of watches, not a full disk.
  const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
  const reason = isFull ? 'the system limit of watched files is reached' : reasonOf(cause)
  return new SvcError('invalid_request', `${folder} cannot be watched: ${reason}.`, { cause })
}
