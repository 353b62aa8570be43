import { isSvcError, SvcError } from '../errors.js'
import { describeError } from '../log/error.js'
import { resumeDeletions } from '../media/animation.js'
import { temporaryId } from '../media/owner.js'
import { createSharedLibrary } from '../media/shared-library.js'
import type { Downloader, PhotoReader } from '../ports/photos.js'
import type { DiaryHandlerPorts } from '../server/handlers/diary.js'
import type { MediaPorts } from '../server/handlers/media.js'
import { createDiaryCatalog } from './diary-catalog.js'
import { finishTask } from './finish-task.js'
import { onDemand } from './on-demand.js'
import type { Work, WorkParts } from './work.js'

/** How long a caller waits for a picture that is made during its call; a drawn one takes less than a second. */
const finishMs = 10_000
/** After a start that the database did not let come to its end. */
const startAgainMs = 2000

/** Pictures and clips: what the handlers need for them, and the worker behind. */
export interface Media {
  readonly ports: DiaryHandlerPorts
  /** Loads what tasks are run with, where models are configured: throws what one lacks. */
  prepare(): Promise<void>
  /**
   * Ends deletions that were cut short and starts the worker. What goes wrong is logged, and tried again by itself where the
   * database was out of order.
   */
  start(): Promise<void>
  /** What the operator of a server should know of its models and of what waits for them. */
  listNotices(): Promise<string[]>
  /** Resolves when no task waits or is in work. */
  idle(): Promise<void>
  /**
   * Runs no more tasks: lets what is sent to models end within `graceMs`, hands back the other units. Calls are answered as
   * before.
   */
  drain(graceMs: number): Promise<void>
  close(): Promise<void>
}

export interface MediaParts extends Omit<WorkParts, 'diary'> {
  /** Whether a task that is created here is also run here, unless the worker was started before. */
  readonly runsTasks: boolean
}

type StartFault = 'deletions_failed' | 'claim_failed'

/** The caller is not to blame for what the operator's file says. */
function refuseSetup(error: unknown): never {
  if (!isSvcError(error) || error.code !== 'invalid_request') throw error
  throw new SvcError('unavailable', error.message, { cause: error })
}

/** Nothing is loaded before it is needed: a server without pictures starts sooner and stays smaller. */
export function createMedia({ runsTasks, ...parts }: MediaParts): Media {
  const { config, store, objects, log } = parts
  const diary = createDiaryCatalog()
  const work = onDemand<Work>(async () => {
    const { loadWork } = await import('./work.js')
    return loadWork({ ...parts, diary })
  })
  const photos = onDemand<PhotoReader>(async () => {
    const { createPhotoReader } = await import('../adapters/photos/photo-reader.js')
    return createPhotoReader({ minSide: config.imageMinSide, maxBytes: config.imageMaxBytes })
  })
  const downloader = onDemand<Downloader>(async () => {
    const { createDownloader } = await import('../adapters/download.js')
    return createDownloader({
      bytesAtMost: config.imageMaxBytes,
      reach: config.allowPrivateUrls ? 'anywhere' : 'public',
    })
  })
  let starting: Promise<void> | undefined
  let startAgain: NodeJS.Timeout | undefined
  let isDraining = false

  function start(): Promise<void> {
    starting ??= startAll()
    return starting
  }

  async function startAll(): Promise<void> {
    const arePassing = await Promise.all([
      tellFault('deletions_failed', () => resumeDeletions({ tasks: store, objects })),
      tellFault('claim_failed', startWorker),
    ])
    if (isDraining || !arePassing.includes(true)) return
    starting = undefined
    clearTimeout(startAgain)
    startAgain = setTimeout(start, startAgainMs).unref()
  }

  /** Answers whether something went wrong that may be over soon. */
  async function tellFault(event: StartFault, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return false
    } catch (error) {
      tell(event, error)
      return isSvcError(error) && error.code === 'unavailable'
    }
  }

  /** A worker that has ended is not started again: it finds its tasks when the program starts the next time. */
  async function startWorker(): Promise<void> {
    const made = await work.get()
    if (!isDraining) await made.start()
  }

  async function wake(): Promise<void> {
    const made = await work.get()
    if (!isDraining) made.wake()
  }

  function tell(event: StartFault, error: unknown): void {
    log.write({ time: new Date().toISOString(), event, error: describeError(error) })
  }

  const ports: MediaPorts = {
    store,
    objects,
    photos: { readPhoto: async (...of) => (await photos.get()).readPhoto(...of) },
    downloader: { download: async (...of) => (await downloader.get()).download(...of) },
    loadModel: async (alias) => (await work.get().catch(refuseSetup)).getModel(alias),
    wakeWorker: () => void (runsTasks ? startWorker() : wake()).catch((error) => tell('claim_failed', error)),
    pollAfterSeconds: config.pollAfterSeconds,
  }
  const sharedLibrary = createSharedLibrary({
    ...ports,
    isDrawn: async () => (await work.get().catch(refuseSetup)).isStub('svc-avatar'),
    readPhoto: async (species) => (await import('../adapters/photos/sample.js')).readSamplePhoto(species),
    async finishTask(id) {
      // Somebody waits for it: it is run here, whoever runs the other tasks.
      await startWorker()
      return finishTask(store, id, finishMs)
    },
  })

  return {
    ports: {
      ...ports,
      loadScenes: diary.loadScenes,
      sharedLibrary: config.sharedLibrary ? sharedLibrary : undefined,
      // @NOTE contract: a list must name a user, and in the test environment it need not; elsewhere `temporary` stands for it.
      listedUserId: config.environment === 'test' ? undefined : temporaryId,
    },
    async prepare() {
      if (config.provider === 'config') await work.get()
    },
    async listNotices() {
      const operation = await parts.loadOperation()
      const queued = await store.countQueued()
      // Where nothing is to be told, nothing is loaded for it.
      if (operation === undefined && [...queued.keys()].every((label) => label === 'stub')) return []
      const { listNotices } = await import('./notices.js')
      return listNotices({ config, operation, labels: (await work.get()).labels, queued })
    },
    start,
    async idle() {
      await starting
      await (await work.get()).idle()
    },
    async drain(graceMs) {
      isDraining = true
      clearTimeout(startAgain)
      await starting
      await (await work.peek())?.drain(graceMs)
    },
    async close() {
      const close = (part: { close(): Promise<void> }) => part.close()
      const ends = await Promise.allSettled([work.close(close), photos.close(close), downloader.close(close)])
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
  }
}
