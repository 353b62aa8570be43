import { createKey, fullSettings } from './access.js'
import { openDiskObjects } from './adapters/objects/disk.js'
import { createUrlSignatures } from './adapters/objects/signature.js'
import { createPseudonyms, openSecret } from './adapters/secret.js'
import { openSqliteStore } from './adapters/sql/store.js'
import { loadInsightCopy } from './catalog.js'
import type { Config } from './config.js'
import { routes } from './contract/index.js'
import { createDataDir, type DataDir, draftLocalKey, openPart } from './data-dir.js'
import { openRequestLog, type RequestLog } from './log.js'
import type { Store } from './ports.js'
import { createAppMetadataHandlers } from './server/handlers/app-metadata.js'
import { createInsightHandlers } from './server/handlers/insight.js'
import { createSystemHandlers } from './server/handlers/system.js'
import { MemoryBudget } from './server/input/memory-budget.js'
import { type Listener, startListening } from './server/listen.js'
import { createServer } from './server/server.js'
import { createNodeHandler } from './server/whole-answer.js'
import { version } from './version.js'

/** What the files of all calls together may take of memory: some 25 photos of the largest size. */
const uploadedBytesAtMost = 256 << 20

/** How long a shutdown waits for the calls that are being answered. */
const drainMs = 10_000

export interface App {
  /** The key `local`, if this start created it; its text is not to be had again from here. */
  readonly createdKey?: { readonly id: string; readonly name: string; readonly text: string }
  /** Answers a web request, in process. */
  fetch(request: Request): Response | Promise<Response>
  /** Takes the port of the configuration, or throws `unavailable`. */
  listen(): Promise<Listener>
  /** Stops listening, lets running calls end (10 seconds at most), writes what waits, closes the data directory. Throws what was lost. */
  close(): Promise<void>
}

export interface AppOptions {
  /** Epoch milliseconds. */
  readonly now?: () => number
}

/** Puts the parts together on the data directory of `config`, which is made if need be. */
export async function createApp(config: Config, { now = Date.now }: AppOptions = {}): Promise<App> {
  const dataDir = createDataDir(config.dataDir)
  const secret = await openPart(dataDir.secret, () => openSecret(dataDir.secret))
  const signatures = createUrlSignatures(secret, config.urlTtlSeconds)
  const objects = await openPart(dataDir.objects, () => openDiskObjects(dataDir.objects, signatures))
  const copy = await loadInsightCopy()
  const store = await openStore(dataDir)
  const log = await openPart(dataDir.logs, () => openRequestLog(dataDir.logs))
  const createdKey = await openPart(dataDir.database, () => createFirstKey(dataDir, store, now()))
  const server = createServer({
    routes,
    store,
    uploads: { fileBytesAtMost: config.imageMaxBytes, budget: new MemoryBudget(uploadedBytesAtMost) },
    publicUrl: config.publicUrl,
    objects: { store: objects, signatures },
    log,
    now,
    handlers: {
      ...createSystemHandlers(store, routes, version),
      ...createAppMetadataHandlers(async (version) => (await import('./catalog/diary.js')).readSceneLibrary(version)),
      ...createInsightHandlers({ copy, journal: store.journal, pseudonyms: createPseudonyms(secret) }),
    },
  })
  let listener: Listener | undefined
  let closing: Promise<void> | undefined
  return {
    createdKey,
    fetch: server.fetch,
    async listen() {
      listener = await startListening(createNodeHandler(server), config.host, config.port)
      return listener
    },
    close() {
      closing ??= closeParts(listener, store, log)
      return closing
    },
  }
}

async function closeParts(listener: Listener | undefined, store: Store, log: RequestLog): Promise<void> {
  try {
    await listener?.close(drainMs)
  } finally {
    // Each part is closed, whatever becomes of the others.
    try {
      log.close()
    } finally {
      await store.close()
    }
  }
}

/** Opens the store alone, for commands that manage keys. */
export async function openStore(dataDir: DataDir): Promise<Store> {
  return openPart(dataDir.database, () => openSqliteStore(dataDir.database))
}

/** Creates the full key `local` on a data directory that has no key at all; one that was revoked counts. */
async function createFirstKey(dataDir: DataDir, store: Store, now: number): Promise<App['createdKey']> {
  if ((await store.listKeys()).length > 0) return undefined
  const { key, text } = createKey({ ...fullSettings, name: 'local', admin: true }, new Date(now))
  const draft = draftLocalKey(dataDir, text)
  // Another process may have started on the same folder just now: one of the two keys wins.
  if (!(await store.insertFirstKey(key))) {
    draft.discard()
    return undefined
  }
  draft.keep()
  return { id: key.id, name: key.name, text }
}
