import type { OperatorSettings } from '../config/models.js'
import type { Config } from '../config.js'
import type { RequestLog } from '../log/request-log.js'
import type { Pose } from '../media/poses.js'
import { type Prompts, renderAnimationPrompt, renderAvatarPrompt, renderDiaryPrompt } from '../media/prompts.js'
import type { AnimationInput, AvatarInput, DiaryInput } from '../media/task-inputs.js'
import type { UnitFaults } from '../ports/faults.js'
import type { ObjectStore } from '../ports/objects.js'
import type { PictureScene, Provider } from '../ports/provider.js'
import { awaitedSlots } from '../ports/queue.js'
import type { Measures, Store } from '../ports/store.js'
import type { Tracing } from '../ports/tracing.js'
import { createAnimationRunner, createAvatarRunner, createDiaryRunner, runByProvider } from '../worker/runners.js'
import { createWorker, type Worker, type WorkerOptions } from '../worker/worker.js'
import { onDemand } from './clip-loops.js'
import type { DiaryCatalog } from './diary-catalog.js'
import { openModels } from './models.js'
import { hashModels } from './models-hash.js'

export interface MediaWorkerParts {
  readonly config: Config
  /** Reads the operator's file, if its models are in use. */
  readonly loadOperation: () => Promise<OperatorSettings | undefined>
  readonly store: Store
  readonly objects: ObjectStore
  readonly prompts: Prompts
  readonly diary: DiaryCatalog
  readonly log: RequestLog
  readonly measures?: Measures | undefined
  readonly tracing?: Tracing | undefined
  readonly faults?: UnitFaults | undefined
  /** True for a server: it fails units of models that are not configured any more, and closes all breakers. */
  readonly isServer: () => boolean
}

/** The models, and the worker that runs tasks with them. */
export type MediaWorker = Awaited<ReturnType<typeof loadMediaWorker>>

/** Other processes of a database may only create tasks. */
const fleetIdlePollMs = 1000

/** Failing a unit of a model that is not configured any more costs nothing. */
const slotsOfGone = 4

/**
 * Opens the models. They and the worker are in one bundle, so both use the same class of provider errors.
 */
export async function loadMediaWorker(parts: MediaWorkerParts) {
  const { config, loadOperation, store, log, tracing } = parts
  const models = await openModels({ config, operation: await loadOperation(), store, log, tracing })
  const worker = onDemand(() => openWorker(parts, models.providers))
  let started = false
  const start = async () => {
    started = true
    ;(await worker.get()).wake()
  }
  return {
    models,
    /** The slots of each model, by its label. */
    slots: toSlots(models.providers),
    /** Starts the worker, or makes it poll immediately. */
    start,
    /** Makes the worker poll immediately, if it was started. */
    wake() {
      if (started) void start()
    },
    /** Starts the worker. Resolves when no unit is unfinished. */
    idle: async () => (await worker.get()).idle(),
    /** Returns the kinds of the units that a stop would wait for. */
    listRunning: async () => (await worker.peek())?.listRunning() ?? [],
    /** Closes the worker: waits up to `graceMs` for calls that were sent, and releases the other units. Models stay open. */
    drain: (graceMs: number) => worker.close((made) => made.close(graceMs)),
    close: () => models.close(),
  }
}

async function openWorker(parts: MediaWorkerParts, providers: readonly Provider[]): Promise<Worker> {
  const { config, store, log, measures, tracing, faults, isServer } = parts
  const labels = providers.map(({ label }) => label)
  // A restart often means that the cause was fixed. Before the holder is opened, which would have to be closed on an error.
  if (isServer()) await store.closeBreakers(labels)
  const holder = await store.openHolder(hashModels(config))
  const gone = isServer() ? await findGone(parts, labels) : []
  return createWorker({
    store,
    log,
    measures,
    tracing,
    faults,
    holder,
    runners: createRunners(parts, providers),
    slots: {
      ...toSlots(providers.filter(({ isLocal }) => !isLocal)),
      ...Object.fromEntries(gone.map((label) => [label, slotsOfGone])),
    },
    ownSlots: toSlots(providers.filter(({ isLocal }) => isLocal)),
    concurrency: providers.reduce((sum, { slots }) => sum + slots, awaitedSlots),
    idlePollMs: config.database === '' ? undefined : fleetIdlePollMs,
  })
}

function toSlots(providers: readonly Provider[]): Record<string, number> {
  return Object.fromEntries(providers.map(({ label, slots }) => [label, slots]))
}

/**
 * Returns the models of unfinished units that the operator's file does not name. Empty if another process works on the folder,
 * which may have another file, or if the file is not in use, since its models may come back.
 */
async function findGone({ config, store }: MediaWorkerParts, labels: readonly string[]): Promise<string[]> {
  if (config.provider !== 'config' || (await store.hasOtherHolders())) return []
  return [...(await store.countQueued()).keys()].filter((label) => !labels.includes(label))
}

/** The name of an avatar's or animation's unit is its pose. */
function createRunners(
  { objects, prompts, diary }: MediaWorkerParts,
  providers: readonly Provider[],
): WorkerOptions['runners'] {
  const avatarPrompt = (input: AvatarInput, pose: string, references: { readonly hasCompanion: boolean }) =>
    renderAvatarPrompt(prompts, input, pose as Pose, references)
  const animationPrompt = (input: AnimationInput, pose: string) => renderAnimationPrompt(prompts, input, pose as Pose)
  const describe = (input: DiaryInput) => describePicture(diary, input)
  return {
    avatar: runByProvider(providers, (provider) => createAvatarRunner({ objects, provider, prompt: avatarPrompt })),
    animation: runByProvider(providers, (provider) =>
      createAnimationRunner({ objects, provider, prompt: animationPrompt }),
    ),
    diary: runByProvider(providers, (provider) => createDiaryRunner({ objects, provider, describe })),
  }
}

/** Returns the prompt of a diary picture and its scene. Throws if the library no longer has the scene. */
async function describePicture(
  diary: DiaryCatalog,
  { species, breed, sceneId, promptVersion, weather }: DiaryInput,
): Promise<{ prompt: string; scene: PictureScene }> {
  const scene = (await diary.loadScenes()).find(({ scene_id }) => scene_id === sceneId)
  if (scene === undefined) throw new Error(`the library has no scene ${sceneId}`)
  const prompt = renderDiaryPrompt(await diary.loadPrompts(), {
    version: promptVersion,
    species,
    scene,
    breed,
    weather,
  })
  const backdrop = weather === undefined ? scene.backdrop : { ...scene.backdrop, weather }
  return { prompt, scene: { id: sceneId, backdrop } }
}
