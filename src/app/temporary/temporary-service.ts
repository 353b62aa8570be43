import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../app.js'
import type { Config } from '../../config.js'
import { SvcError } from '../../errors.js'
import { describeDataDir, findLocalKey } from '../../runtime/data-dir.js'
import { markAsTemporary, removeAbandonedFolders } from './abandoned-folders.js'

/** Short: unfinished work is deleted with the folder. */
const drainMs = 500

/** A server on a folder that is removed with it. */
export interface TemporaryService {
  readonly app: App
  readonly url: string
  readonly dataDir: string
  /** A key without restrictions. */
  readonly key: string
  /** Ends the server and removes its folder. */
  close(): Promise<void>
}

/**
 * Starts a server on a free port and a new folder whose name contains `name`. Removes the folders of killed processes. `at` is
 * the time at which the clock starts, epoch milliseconds.
 */
export async function startTemporaryService(
  config: Config,
  name: 'demo' | 'exec',
  at?: number,
): Promise<TemporaryService> {
  removeAbandonedFolders(Date.now())
  const dataDir = mkdtempSync(join(tmpdir(), `svc-${name}-`))
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  let app: App | undefined
  const close = async () => {
    const release = removeOnSignal(remove)
    try {
      await app?.close()
    } finally {
      release()
      remove()
    }
  }
  try {
    markAsTemporary(dataDir)
    // The configured role, public URL, database and bucket are those of another server.
    const own = { dataDir, database: '', objects: '', role: 'all', port: 0, publicUrl: null } as const
    app = await createApp({ ...config, ...own }, { drainMs, at })
    const { url } = await app.listen()
    return { app, url, dataDir, key: requireKey(dataDir), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Removes the folder also when another signal ends the process while the server closes. */
function removeOnSignal(remove: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const release = () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    release()
    remove()
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, onSignal)
  return release
}

function requireKey(dataDir: string): string {
  const key = findLocalKey(describeDataDir(dataDir))
  if (key !== undefined) return key
  throw new SvcError('unavailable', `${dataDir} has no key: another program uses it.`)
}
