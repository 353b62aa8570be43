import { lstatSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, type AppOptions, createApp } from '../../app.js'
import type { Config } from '../../config.js'
import { SvcError } from '../../errors.js'
import { describeDataDir, findLocalKey } from '../../runtime/data-dir.js'
import { listNames } from '../../runtime/running-servers.js'
import { isInUse } from '../upkeep/exclusive-lock.js'

/** Short: unfinished work is deleted with the folder. */
const drainMs = 500

/** A server on a folder that is removed with it. */
export interface TemporaryService {
  readonly app: App
  readonly url: string
  readonly networkUrls: readonly string[]
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
  onSeen?: AppOptions['onSeen'],
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
      // A call that the server no longer waits for may still store a file.
      process.once('exit', remove)
    }
  }
  try {
    markAsTemporary(dataDir)
    // The configured role, public URL, database and bucket are those of another server.
    const own = { dataDir, database: '', objects: '', role: 'all', port: 0, publicUrl: null } as const
    app = await createApp({ ...config, ...own }, { drainMs, at, onSeen })
    const { url, networkUrls } = await app.listen()
    return { app, url, networkUrls, dataDir, key: requireKey(dataDir), close }
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

/** Marks a folder that is removed with its process; a folder of a person with a similar name has no mark. */
const markName = '.temporary'
/** The server of a younger folder may be about to start. */
const settledMs = 10_000

function markAsTemporary(folder: string): void {
  writeFileSync(join(folder, markName), 'This folder is removed with the process that created it.\n', { mode: 0o600 })
}

/** Removes the temporary folders of this user whose process was killed: each has a key without restrictions. */
function removeAbandonedFolders(now: number): void {
  // A temporary folder may allow files to be created and not to be listed.
  for (const name of listNames(tmpdir())) {
    if (!/^svc-(demo|exec)-[A-Za-z0-9]{6}$/.test(name)) continue
    const folder = join(tmpdir(), name)
    try {
      if (isAbandoned(folder, now)) rmSync(folder, { recursive: true, force: true })
    } catch {
      // A folder that cannot be removed must not prevent the start.
    }
  }
}

function isAbandoned(folder: string, now: number): boolean {
  const { uid } = lstatSync(folder)
  const markedAt = statSync(join(folder, markName), { throwIfNoEntry: false })?.mtimeMs
  const isOurs = markedAt !== undefined && uid === (process.getuid?.() ?? uid)
  return isOurs && now - markedAt > settledMs && !isInUse(describeDataDir(folder))
}
