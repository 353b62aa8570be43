import { createKey, fullSettings } from './access.js'
import { openDiskObjects } from './adapters/objects/disk.js'
import { createUrlSignatures } from './adapters/objects/signature.js'
import { createPseudonyms, openSecret } from './adapters/secret.js'
import { createMedia, type Media } from './app/media.js'
import { handBackMs } from './app/notices.js'
import { openStore } from './app/store.js'
import { loadHomeCopy, loadInsightCopy, readPrompts } from './catalog.js'
import type { Config } from './config.js'
import { routes } from './contract/index.js'
import { createDataDir, type DataDir, describeDataDir, draftLocalKey, openPart } from './data-dir.js'
import { openRequestLog, type RequestLog } from './log.js'
import type { KeyStore, Store } from './ports.js'
import { createAnimationHandlers } from './server/handlers/animation.js'
import { createAppMetadataHandlers } from './server/handlers/app-metadata.js'
import { createAvatarHandlers } from './server/handlers/avatar.js'
import { createDiaryHandlers } from './server/handlers/diary.js'
import { createHomeHandlers } from './server/handlers/home.js'
import { createInsightHandlers } from './server/handlers/insight.js'
import { createRequestHandlers } from './server/handlers/requests.js'
import { createSystemHandlers } from './server/handlers/system.js'
import { createUsageHandlers } from './server/handlers/usage.js'
import { MemoryBudget } from './server/input/memory-budget.js'
import { type Listener, startListening } from './server/listen.js'
import { createServer } from './server/server.js'
import { createNodeHandler } from './server/whole-answer.js'
import { version } from './version.js'

/** What the files of all calls together may take of memory: some 25 photos of the largest size. */
const uploadedBytesAtMost = 256 << 20

/** How long after the port is open a server goes on with the work that it finds. */
const workDelayMs = 100

export interface App {
  /** The key `local`, if this start created it; its text is not to be had again from here. */
  readonly createdKey?: { readonly id: string; readonly name: string; readonly text: string }
  /** The keys, for who runs it: to open the database once more in this process would end the locks that keep others off it. */
  readonly keys: KeyStore
  /** Answers a web request, in process. */
  fetch(request: Request): Response | Promise<Response>
  /** Sentences for the operator of a server: what a stop would cost, and what waits for models that are not in use. */
  listNotices(): Promise<string[]>
  /** Resolves when no task waits or is in work. */
  idle(): Promise<void>
  /** Takes the port of the configuration, or throws `unavailable`. */
  listen(): Promise<Listener>
  /**
   * Stops listening and claiming, lets calls that are being answered or sent to a model end, hands back the other units,
   * writes what waits, closes the data directory. Throws what was lost.
   */
  close(): Promise<void>
}

export interface AppOptions {
  /** Epoch milliseconds. */
  readonly now?: () => number
  /** How long a shutdown waits for what is being done, in place of what the configuration says. */
  readonly drainMs?: number
  /** Whether tasks are run as soon as anybody calls; if not, then only once somebody waits for `idle`. */
  readonly runsTasks?: boolean
  /** Whether it starts only where configured models can be used; without, the first task for one is refused. */
  readonly needsModels?: boolean
}

/** Puts the parts together on the data directory of `config`, which is made if need be. */
export async function createApp(
  config: Config,
  { now = Date.now, drainMs = config.drainSeconds * 1000, runsTasks = true, needsModels = false }: AppOptions = {},
): Promise<App> {
  // First what can be wrong without anything being open.
  const copy = await loadInsightCopy()
  const homeCopy = await loadHomeCopy()
  const prompts = readPrompts()
  const loadOperation = () => readConfigured(config)
  if (needsModels) await loadOperation()
  const { secret, signatures, objects, store, log, createdKey } = await openParts(config, now)
  const pseudonyms = createPseudonyms(secret)
  let listener: Listener | undefined
  const isServer = () => listener !== undefined
  const media = createMedia({ config, loadOperation, store, objects, prompts, log, runsTasks, isServer })
  const server = createServer({
    routes,
    store,
    idempotency: store,
    uploads: { fileBytesAtMost: config.imageMaxBytes, budget: new MemoryBudget(uploadedBytesAtMost) },
    publicUrl: config.publicUrl,
    objects: { store: objects, signatures },
    log,
    now,
    handlers: {
      ...createSystemHandlers(store, routes, version),
      ...createAppMetadataHandlers(async (version) => (await import('./catalog/diary.js')).readSceneLibrary(version)),
      ...createInsightHandlers({ copy, journal: store.journal, pseudonyms }),
      ...createAvatarHandlers(media.ports),
      ...createAnimationHandlers(media.ports),
      ...createDiaryHandlers(media.ports),
      ...createHomeHandlers({ store, copy: homeCopy }),
      ...createUsageHandlers(store),
      ...createRequestHandlers(async () => {
        const { createRecords } = await import('./app/records/records.js')
        return createRecords({ logs: describeDataDir(config.dataDir).logs, store, objects, pseudonyms })
      }),
    },
  })
  let workTimer: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined
  return {
    createdKey,
    keys: store,
    fetch(request) {
      if (runsTasks) void media.start()
      return server.fetch(request)
    },
    listNotices: () => media.listNotices(),
    async idle() {
      await media.start()
      await media.idle()
    },
    async listen() {
      if (needsModels) await media.prepare()
      listener = await startListening(createNodeHandler(server), config.host, config.port)
      // The first answers come sooner when the worker is not loaded in the same moment.
      workTimer = setTimeout(() => void media.start(), workDelayMs)
      return listener
    },
    close() {
      clearTimeout(workTimer)
      closing ??= closeParts({ listener, media, store, log }, drainMs)
      return closing
    },
  }
}

/** What the operator's file says, where its models are to be used. */
async function readConfigured(config: Config) {
  if (config.provider === 'stub') return undefined
  const { readOperation } = await import('./config/models.js')
  return readOperation(config.configFile, config.findVariable)
}

/** What lies in the data directory. */
async function openParts(config: Config, now: () => number) {
  const dataDir = createDataDir(config.dataDir)
  // First: while it is open nobody puts other files in place of these.
  const store = await openStore(dataDir)
  let log: RequestLog | undefined
  try {
    const secret = await openPart(dataDir.secret, () => openSecret(dataDir.secret))
    const signatures = createUrlSignatures(secret, config.urlTtlSeconds)
    const objects = await openPart(dataDir.objects, () => openDiskObjects(dataDir.objects, signatures))
    log = await openPart(dataDir.logs, () => openRequestLog(dataDir.logs))
    const createdKey = await openPart(dataDir.database, () => createFirstKey(dataDir, store, now()))
    return { secret, signatures, objects, store, log, createdKey }
  } catch (error) {
    await log?.close()
    await store.close()
    throw error
  }
}

interface Parts {
  readonly listener: Listener | undefined
  readonly media: Media
  readonly store: Store
  readonly log: RequestLog
}

/**
 * What takes calls and what makes pictures end side by side: nothing is bought while a slow caller is waited for. Then what
 * both use is closed. Each part is closed, whatever becomes of the others.
 */
async function closeParts({ listener, media, store, log }: Parts, drainMs: number): Promise<void> {
  const drained = media.drain(Math.max(0, drainMs - handBackMs))
  // It is asked for when its turn comes.
  drained.catch(() => {})
  const closers = [
    () => listener?.close(drainMs),
    () => drained,
    () => media.close(),
    () => log.close(),
    () => store.close(),
  ]
  const faults: unknown[] = []
  for (const close of closers) {
    try {
      await close()
    } catch (fault) {
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw faults[0]
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
