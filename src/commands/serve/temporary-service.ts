import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../app.js'
import type { Config } from '../../config.js'
import { describeDataDir, findLocalKey } from '../../data-dir.js'
import { SvcError } from '../../errors.js'
import { markAsTemporary, removeAbandonedFolders } from './abandoned-folders.js'

/** What is in work when it ends is thrown away with its folder. */
const drainMs = 500

/** A server on a folder that goes with it. */
export interface TemporaryService {
  readonly app: App
  readonly url: string
  readonly dataDir: string
  /** May do everything. */
  readonly key: string
  /** Ends the server and removes its folder. */
  close(): Promise<void>
}

/** Starts a server on a free port and a new folder, which is called after `name`. Those of processes that were killed go. */
export async function startTemporaryService(config: Config, name: 'demo' | 'exec'): Promise<TemporaryService> {
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
    // An address that leads to another server is none of this one's.
    app = await createApp({ ...config, dataDir, port: 0, publicUrl: null }, { drainMs })
    const { url } = await app.listen()
    return { app, url, dataDir, key: requireKey(dataDir), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** While the server ends, another signal ends the process at once; not even then does the folder stay. */
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
  throw new SvcError('unavailable', `${dataDir} has no key: another program works in it.`)
}
