import { findTracing } from './adapters/open-telemetry.js'
import { checkStubFailures } from './app/diary-catalog.js'
import { type CreatedKey, createFirstKey } from './app/first-key.js'
import { createMedia, type Media } from './app/media.js'
import { handBackMs, noPublicUrl } from './app/notices.js'
import { describeFormerLogs, openLog, requireReadableLog } from './app/storage/log.js'
import { openStorage } from './app/storage/open-storage.js'
import { type Cleaner, startCleaner, startDailySums } from './app/upkeep/cleaner.js'
import { loadHomeCopy, loadInsightCopy, readPrompts } from './catalog/catalog.js'
import { nameStorage, toStorageConfig } from './config/storage.js'
import type { Config } from './config.js'
import { routes } from './contract/index.js'
import { openFaults, refuseFaults } from './faults/open-faults.js'
import { type RequestEntry, type RequestLog, type SeenCall, watchCalls } from './log/request-log.js'
import { type ServiceClock, setClock } from './ports/clock.js'
import type { ApiKey, KeyStore } from './ports/keys.js'
import type { Store } from './ports/store.js'
import type { UnitKind } from './ports/tasks.js'
import { describeDataDir } from './runtime/data-dir.js'
import { version } from './runtime/program-name.js'
import { recordServer } from './runtime/running-servers.js'
import { createAnimationHandlers } from './server/handlers/animation.js'
import { createAvatarHandlers } from './server/handlers/avatar.js'
import { createAppMetadataHandlers, createDiaryHandlers } from './server/handlers/diary.js'
import { createHomeHandlers } from './server/handlers/home.js'
import { createInsightHandlers } from './server/handlers/insight.js'
import { createClockHandlers, createFaultHandlers, createSystemHandlers } from './server/handlers/system.js'
import { createRequestHandlers, createUsageHandlers } from './server/handlers/usage.js'
import { MemoryBudget } from './server/input/upload-memory.js'
import { createNodeHandler } from './server/node/buffered-response.js'
import { type Listener, startListening } from './server/node/listen.js'
import type { OperatorPort } from './server/node/operator-port.js'
import { createServer } from './server/server.js'
import { toPrintableLines } from './text/words.js'

/** The memory limit for the uploaded files of all calls together: about 25 photos of the largest size. */
const uploadedBytesAtMost = 256 << 20

/** The delay between listening and starting the worker. */
const workDelayMs = 100
/** The delay between listening and the first daily work: short commands and tests do without it. */
const cleanDelayMs = 30_000

export interface App {
  /** The key `local`, if this start created it. Its text can be read again in a data directory only. */
  readonly createdKey?: CreatedKey | undefined
  /** The key store, for the host program: opening the database a second time in this process would end its file locks. */
  readonly keys: KeyStore & Pick<ServiceClock, 'now'>
  /** Answers a web request in process. */
  fetch(request: Request): Response | Promise<Response>
  /** Returns sentences for the operator: what a stop would cost, which units wait for models that are not in use, and what tests left. */
  listNotices(): Promise<string[]>
  /** Resolves when no task is unfinished. */
  idle(): Promise<void>
  /** Returns what a stop would wait for. */
  findWork(): Promise<{ readonly units: readonly UnitKind[]; readonly calls: number }>
  /** Returns the number of unfinished pictures and clips. */
  countUnfinished(): Promise<number>
  /** Listens on the configured port. Rejects with `unavailable` if that fails. */
  listen(): Promise<Listener & { readonly metricsUrl?: string | undefined }>
  /**
   * Stops listening and claiming, waits for running HTTP calls and model calls, releases the other units, flushes, and
   * closes the data directory. Rejects with the first error.
   */
  close(): Promise<void>
}

export interface AppOptions {
  /** Epoch milliseconds; the default is the database's time. */
  readonly now?: () => number
  /** Sets the clock to this time at the start, epoch milliseconds. */
  readonly at?: number | undefined
  /** The maximum wait of a shutdown for running calls; overrides the configuration. */
  readonly drainMs?: number
  /** True if the first call starts the worker; otherwise only `idle` does. */
  readonly runsTasks?: boolean
  /** True if the start fails when configured models cannot be used; otherwise the first task for one is refused. */
  readonly needsModels?: boolean
  /** A key that counts in this app alone, and is not stored; then no key is created for a data directory without keys. */
  readonly unstoredKey?: ApiKey | undefined
  /** The file descriptor of a log that goes to standard output: 1 for a server. Commands print their responses there. */
  readonly logDescriptor?: number
  /** Receives each call when it is answered. */
  readonly onCall?: ((call: RequestEntry) => void) | undefined
  /** Receives each call with what the log leaves out. */
  readonly onSeen?: ((call: SeenCall) => void) | undefined
  /** Receives the number of pictures and clips that a shutdown leaves unfinished. */
  readonly onLeft?: ((left: number) => void) | undefined
  /** Receives sentences for the operator about a running app; the default writes them to stderr. */
  readonly report?: (message: string) => void
}

/** Creates the app on the storage of `config`. A data directory is created if it does not exist. */
export async function createApp(
  config: Config,
  {
    now: givenNow,
    at,
    drainMs = config.drainSeconds * 1000,
    runsTasks = true,
    needsModels = false,
    unstoredKey,
    logDescriptor = 2,
    onCall,
    onSeen,
    onLeft,
    report = (message) => void process.stderr.write(`svc: ${toPrintableLines(message)}\n`),
  }: AppOptions = {},
): Promise<App> {
  // First the parts that can fail before anything is open.
  await checkStubFailures(config.stubFail)
  const copy = await loadInsightCopy()
  const homeCopy = await loadHomeCopy()
  const prompts = readPrompts()
  const loadOperation = () => readConfigured(config)
  if (needsModels) await loadOperation()
  const createsKey = unstoredKey === undefined
  const opened = await openParts(config, { givenNow, at, createsKey, report, logDescriptor })
  const { storage, now, createdKey, faults } = opened
  const log = onCall === undefined ? opened.log : watchCalls(opened.log, onCall)
  const { store, objects, signatures, pseudonyms } = storage
  let listener: Listener | undefined
  const isServer = () => listener !== undefined
  const countUnfinished = async () => [...(await store.countQueued()).values()].reduce((sum, units) => sum + units, 0)
  const measures = config.metricsPort === null ? undefined : await openMeasures(store, () => media.findSlots())
  const tracing = findTracing(version)
  const media = createMedia({
    ...{ config, loadOperation, store, objects, prompts, log },
    ...{ measures, tracing, faults, runsTasks, isServer },
  })
  const isReady = async () => closing === undefined && (await storage.isReady())
  const parts = {
    store,
    unstoredKey,
    idempotency: store,
    uploads: { fileBytesAtMost: config.imageMaxBytes, budget: new MemoryBudget(uploadedBytesAtMost) },
    publicUrl: config.publicUrl,
    objects: {
      store: objects,
      signatures,
      redirectsTo: config.objectAddresses === 'redirect' ? objects.host : undefined,
    },
    log,
    measures,
    tracing,
    onSeen,
    faults,
    now,
    handlers: {
      ...createSystemHandlers(store, routes, version, isReady, config.publicUrl),
      ...createAppMetadataHandlers(async (version) => (await import('./catalog/diary.js')).readSceneLibrary(version)),
      ...createInsightHandlers({ copy, journal: store.journal, pseudonyms }),
      ...createAvatarHandlers(media.ports),
      ...createAnimationHandlers(media.ports),
      ...createDiaryHandlers(media.ports),
      ...createHomeHandlers({ store, copy: homeCopy }),
      ...createUsageHandlers(store),
      ...createClockHandlers(store, config.environment === 'test'),
      ...createFaultHandlers(
        faults && (async () => (await import('./faults/admin.js')).createFaultRules(store, now, faults)),
      ),
      ...createRequestHandlers(async () => {
        requireReadableLog(config)
        const { createRecords } = await import('./app/records/records.js')
        return createRecords({ ...storage, log: store, flushLog: log.flush })
      }),
    },
  }
  let isProxyKnown = config.publicUrl !== null
  const onForwarded = () => {
    if (isProxyKnown) return
    isProxyKnown = true
    log.write({ time: new Date(now()).toISOString(), event: 'public_url_missing', detail: noPublicUrl })
    report(noPublicUrl)
  }
  const { getHealth, getLive, getReady } = routes
  const server =
    config.role === 'worker'
      ? createServer({ ...parts, routes: { getHealth, getLive, getReady }, objects: undefined, hasPages: false })
      : createServer({ ...parts, routes })
  let workTimer: NodeJS.Timeout | undefined
  let cleaner: Cleaner | undefined
  let operatorPort: OperatorPort | undefined
  let closing: Promise<void> | undefined
  let removeRecord = () => {}

  /**
   * Closes the listener and the worker at the same time, so nothing is bought while a slow caller is waited for, and then the
   * parts that both use.
   */
  async function closeParts(): Promise<void> {
    const drained = media.drain(Math.max(0, drainMs - handBackMs))
    // Awaited below: the handler only prevents an unhandled rejection.
    drained.catch(() => {})
    await closeAll([
      () => listener?.close(drainMs, config.readySeconds * 1000),
      () => drained,
      async () => onLeft?.(await countUnfinished()),
      () => media.close(),
      () => cleaner?.close(),
      () => operatorPort?.close(),
      () => faults?.close(),
      () => log.close(),
      () => storage.close(),
    ])
  }

  return {
    createdKey,
    keys: store,
    fetch(request) {
      if (runsTasks) void media.start()
      return server.fetch(request)
    },
    async listNotices() {
      const former = describeFormerLogs(describeDataDir(config.dataDir))
      const notices = [...(await media.listNotices()), ...(former === undefined ? [] : [former])]
      if (faults === undefined) return notices
      const { listTestNotices } = await import('./app/test-notices.js')
      return [...notices, ...(await listTestNotices(config, store))]
    },
    countUnfinished,
    findWork: async () => ({ units: await media.listRunning(), calls: listener?.countAnswering() ?? 0 }),
    async idle() {
      await media.start()
      await media.idle()
    },
    async listen() {
      if (needsModels) await media.prepare()
      const { host, port, publicUrl, metricsHost, metricsPort } = config
      const own = publicUrl === null ? [] : [new URL(publicUrl).host]
      const allowedHosts = [...own, ...config.allowedHosts]
      if (measures !== undefined) {
        const { openOperatorPort } = await import('./server/node/operator-port.js')
        const { render } = measures
        const place = { host: metricsHost, port: metricsPort ?? 0, allowedHosts }
        operatorPort = await openOperatorPort({ ...place, render, isReady })
      }
      listener = await startListening(createNodeHandler(server), host, port, { allowedHosts, onForwarded })
      removeRecord = recordListener(config, listener, now())
      // The first responses are faster if the worker is loaded later.
      workTimer = setTimeout(() => void media.start(), workDelayMs)
      cleaner = await startUpkeep(config, store, report)
      return { ...listener, metricsUrl: operatorPort?.url }
    },
    close() {
      clearTimeout(workTimer)
      removeRecord()
      closing ??= closeParts()
      return closing
    },
  }
}

/** Loaded only if an operator wants measures. */
async function openMeasures(store: Store, findSlots: Media['findSlots']) {
  const { createPrometheus } = await import('./adapters/prometheus.js')
  return createPrometheus({ store, version, findSlots })
}

/** Reads the operator's file, if its models are in use. */
async function readConfigured(config: Config) {
  if (config.provider === 'stub') return undefined
  const { readOperatorSettings } = await import('./config/models.js')
  return readOperatorSettings(config.configFile, config.findVariable)
}

interface OpenOptions extends Required<Pick<AppOptions, 'report' | 'logDescriptor'>> {
  readonly givenNow: AppOptions['now']
  readonly at: number | undefined
  readonly createsKey: boolean
}

/** Opens the storage and the log, and creates the first key. */
async function openParts(config: Config, { givenNow, at, createsKey, report, logDescriptor }: OpenOptions) {
  const storage = await openStorage(config, { mayCreate: true, report, urlTtlSeconds: config.urlTtlSeconds })
  let log: RequestLog | undefined
  try {
    const { store } = storage
    if (at !== undefined) await setClock(store, at)
    log = openLog(config, store, logDescriptor)
    const now = givenNow ?? store.now
    if (config.environment === 'production') await refuseFaults(store, nameStorage(config))
    const createdKey = createsKey ? await createFirstKey(config, store, now()) : undefined
    const faults = config.environment === 'test' ? await openFaults({ store, now }) : undefined
    return { storage, log, now, faults, createdKey }
  } catch (error) {
    await log?.close()
    await storage.close()
    throw error
  }
}

/** Starts the daily work of a process that runs tasks. */
async function startUpkeep(
  config: Config,
  store: Store,
  report: (message: string) => void,
): Promise<Cleaner | undefined> {
  const { database, objects, dataDir, environment, role, retentionDays } = config
  if (role === 'web') return undefined
  const pruned = retentionDays === null ? undefined : { storage: toStorageConfig(config), days: retentionDays }
  if (database === '') {
    const work = { path: dataDir, pruned, hasObjects: objects === '', sumsUsage: environment === 'production' }
    return startCleaner(work, cleanDelayMs, report)
  }
  const sums = startDailySums(store, cleanDelayMs, report)
  if (pruned === undefined) return sums
  const work = { path: dataDir, pruned, hasObjects: false, sumsUsage: false }
  const cleaner = startCleaner(work, cleanDelayMs, report)
  return { close: async () => void (await Promise.all([cleaner.close(), sums.close()])) }
}

/** Stores the address in a data directory that holds the rows, for commands on it. Returns the function that removes it. */
function recordListener({ database, dataDir }: Config, { url }: Listener, now: number): () => void {
  if (database !== '') return () => {}
  return recordServer(describeDataDir(dataDir), { url, pid: process.pid, startedAt: new Date(now).toISOString() })
}

/** Closes one part after the other, every part even if others fail. Rejects with the first error. */
async function closeAll(closers: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of closers) {
    try {
      await close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
