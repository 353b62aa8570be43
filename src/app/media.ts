import { setTimeout as delay } from 'node:timers/promises'
import { isSvcError, isUnavailable, SvcError } from '../errors.js'
import { describeError } from '../log/redact.js'
import { resumeDeletions } from '../media/animation.js'
import type { DiaryMediaPorts, MediaPorts } from '../media/media-ports.js'
import { createSharedLibrary } from '../media/shared-library.js'
import { isFinalStatus } from '../media/status.js'
import { temporaryId } from '../media/task-base.js'
import type { Downloader, PhotoReader } from '../ports/photos.js'
import type { Task, TaskStore } from '../ports/tasks.js'
import { onDemand } from './clip-loops.js'
import { createDiaryCatalog } from './diary-catalog.js'
import type { MediaWorker, MediaWorkerParts } from './media-worker.js'
import { hashModels } from './models-hash.js'

/** The maximum wait of a caller for a picture that is made during its call. A drawn one takes less than a second. */
const finishMs = 10_000
/** The delay before a start is retried that failed because the database was unavailable. */
const restartMs = 2000
/** The interval at which deletions of other processes that are gone are finished. */
const deletionsMs = 30_000

/** Pictures and clips: their ports, and the worker. */
export type Media = ReturnType<typeof createMedia>

export interface MediaParts extends Omit<MediaWorkerParts, 'diary'> {
  /** True if creating a task also starts the worker. */
  readonly runsTasks: boolean
}

type StartFailure = 'deletions_failed' | 'claim_failed'

/** Reports an error in the operator's file as `unavailable`: the caller cannot fix it. */
function refuseSetup(error: unknown): never {
  if (!isSvcError(error) || error.code !== 'invalid_request') throw error
  throw new SvcError('unavailable', error.message, { cause: error })
}

/** Loads every part on first use: a server without pictures starts faster and needs less memory. */
export function createMedia({ runsTasks, ...parts }: MediaParts) {
  const { config, store, objects, log } = parts
  const diary = createDiaryCatalog()
  const mediaWorker = onDemand<MediaWorker>(async () => {
    const { loadMediaWorker } = await import('./media-worker.js')
    return loadMediaWorker({ ...parts, diary })
  })
  const photos = onDemand<PhotoReader>(async () => {
    const { createPhotoReader } = await import('../adapters/photos/photo-reader.js')
    return createPhotoReader({ minSide: config.imageMinSide, maxBytes: config.imageMaxBytes })
  })
  const downloader = onDemand<Downloader>(async () => {
    const { createDownloader } = await import('../adapters/download/downloader.js')
    return createDownloader({
      bytesAtMost: config.imageMaxBytes,
      reach: () => (config.allowPrivateUrls ? 'anywhere' : 'public'),
    })
  })
  const claims = config.role !== 'web'
  let starting: Promise<void> | undefined
  let restart: NodeJS.Timeout | undefined
  let deletions: NodeJS.Timeout | undefined
  let holder: Promise<unknown> | undefined
  let isDraining = false

  /** Finishes interrupted deletions and starts the worker. Errors are logged, and retried if the database was unavailable. */
  function start(): Promise<void> {
    starting ??= startAll()
    return starting
  }

  async function startAll(): Promise<void> {
    const mayRetry = await Promise.all([finishDeletions(), logFailure('claim_failed', startWorker)])
    if (isDraining) return
    deletions ??= setInterval(finishDeletions, deletionsMs).unref()
    if (!mayRetry.includes(true)) return
    starting = undefined
    clearTimeout(restart)
    restart = setTimeout(start, restartMs).unref()
  }

  function finishDeletions(): Promise<boolean> {
    return logFailure('deletions_failed', () => resumeDeletions({ tasks: store, objects }))
  }

  /** Logs a failure of `work`. Returns true if a retry may succeed. */
  async function logFailure(event: StartFailure, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return false
    } catch (error) {
      logEvent(event, error)
      return isUnavailable(error)
    }
  }

  /** Does nothing while draining, or in a process that only answers calls: the tasks wait for another one. */
  async function startWorker(): Promise<void> {
    if (!claims) return showModels()
    const worker = await mediaWorker.get()
    if (!isDraining) await worker.start()
  }

  /** Tells the processes of a database which models the tasks of this one are for. */
  async function showModels(): Promise<void> {
    if (config.database === '' || isDraining) return
    holder ??= store.openHolder(hashModels(config))
    await holder.catch((error: unknown) => {
      holder = undefined
      throw error
    })
  }

  async function wake(): Promise<void> {
    if (!claims) return
    const worker = await mediaWorker.get()
    if (!isDraining) worker.wake()
  }

  function logEvent(event: StartFailure, error: unknown): void {
    log.write({ time: new Date(store.now()).toISOString(), event, error: describeError(error) })
  }

  /** Returns the notices of the models in use and of the units that wait. */
  async function findNotices(): Promise<string[]> {
    const operation = await parts.loadOperation()
    const queued = await store.countQueued()
    const others = await store.countOtherModels(hashModels(config))
    // Without configured models and queued units of other providers there is nothing to report or load.
    if (operation === undefined && others === 0 && [...queued.keys()].every((label) => label === 'stub')) return []
    const { listNotices } = await import('./notices.js')
    const labels = Object.keys((await mediaWorker.get()).slots)
    return listNotices({ config, operation, labels, others, queued, now: new Date(store.now()) })
  }

  const ports: MediaPorts = {
    store,
    objects,
    photos: { readPhoto: async (...of) => (await photos.get()).readPhoto(...of) },
    downloader: { download: async (...of) => (await downloader.get()).download(...of) },
    loadModel: async (alias) => (await mediaWorker.get().catch(refuseSetup)).models.getModel(alias),
    wakeWorker: () => void (runsTasks ? startWorker() : wake()).catch((error) => logEvent('claim_failed', error)),
    pollAfterSeconds: config.pollAfterSeconds,
  }
  const sharedLibrary = createSharedLibrary({
    ...ports,
    isDrawn: async () => (await mediaWorker.get().catch(refuseSetup)).models.isStub('svc-avatar'),
    readPhoto: async (species) => (await import('../adapters/photos/sample.js')).readSamplePhoto(species),
    async finishTask(id) {
      // A caller waits for this task, so it runs here even if another process runs the others, unless this one runs no tasks.
      await startWorker()
      return finishTask(store, id, finishMs)
    },
  })

  const diaryPorts: DiaryMediaPorts = {
    ...ports,
    loadScenes: diary.loadScenes,
    sharedLibrary: config.sharedLibrary ? sharedLibrary : undefined,
    // @NOTE contract: a list must name a user, except in the test environment; elsewhere a missing user is `temporary`.
    listedUserId: config.environment === 'test' ? undefined : temporaryId,
  }
  return {
    ports: diaryPorts,
    /** Loads configured models. Rejects if one of them lacks something. */
    async prepare() {
      if (config.provider === 'config') await mediaWorker.get()
    },
    /**
     * Returns sentences for the operator about the models and the units that wait for them. A server that is already listening must
     * not stop because of an outage of its database.
     */
    listNotices: () =>
      findNotices().catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
        return [`the models of other processes and waiting units were not checked: ${error.message}`]
      }),
    /** Returns the slots of each model; an empty record before the models are loaded. */
    findSlots: async (): Promise<Readonly<Record<string, number>>> => (await mediaWorker.peek())?.slots ?? {},
    start,
    /** Resolves when no task is unfinished. */
    async idle() {
      await starting
      await (await mediaWorker.get()).idle()
    },
    /** Returns the kinds of the units that a stop would wait for. */
    listRunning: async () => (await mediaWorker.peek())?.listRunning() ?? [],
    /**
     * Stops running tasks: waits up to `graceMs` for calls that were sent to models, and releases the other units. HTTP calls
     * are still answered.
     */
    async drain(graceMs: number) {
      isDraining = true
      clearTimeout(restart)
      clearInterval(deletions)
      await starting
      await (await mediaWorker.peek())?.drain(graceMs)
    },
    async close() {
      const close = (part: { close(): Promise<void> }) => part.close()
      const ends = await Promise.allSettled([mediaWorker.close(close), photos.close(close), downloader.close(close)])
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
  }
}

/** Polled, because any process may finish the task. A poll reads one row by its ID. */
const pollMs = 20

/** Returns a task when it is final, or undefined if it is not final within `boundMs`. */
export async function finishTask(
  store: Pick<TaskStore, 'findTask'>,
  id: string,
  boundMs: number,
): Promise<Task | undefined> {
  const giveUpAt = performance.now() + boundMs
  for (;;) {
    const task = await store.findTask(id)
    if (task !== undefined && isFinalStatus(task.status)) return task
    if (performance.now() >= giveUpAt) return undefined
    await delay(pollMs)
  }
}
