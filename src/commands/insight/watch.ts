import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shippedUrl } from '../../entry.js'

/** Several writes of one save arrive within this time. */
const settleMs = 60

/** Calls `onChange` whenever a file below one of the paths, or a text of the catalog, was saved; until `signal` aborts. */
export async function watchPaths(
  paths: readonly string[],
  onChange: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const notice = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(onChange)
    }, settleMs)
  }
  const watchers = [fileURLToPath(shippedUrl('catalog/insight/')), ...paths].map((path) => watchPath(path, notice))
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  clearTimeout(timer)
  for (const watcher of watchers) watcher.close()
  await running
}

/** A file is watched through its folder: editors save by putting a new file in its place. */
function watchPath(path: string, notice: () => void): FSWatcher {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return watch(path, { recursive: true }, notice)
  const name = basename(path)
  return watch(dirname(path), (_event, changed) => {
    if (changed === null || changed === name) notice()
  })
}
