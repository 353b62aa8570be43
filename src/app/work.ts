import type { Operation } from '../config/models.js'
import type { Config } from '../config.js'
import type { RequestLog } from '../log.js'
import { renderDiaryPrompt } from '../media/diary-prompt.js'
import type { Pose } from '../media/poses.js'
import { type Prompts, renderAnimationPrompt, renderAvatarPrompt } from '../media/prompts.js'
import type { AnimationInput, AvatarInput, DiaryInput } from '../media/tasks.js'
import type { ConfiguredAlias } from '../ports/models.js'
import type { ObjectStore } from '../ports/objects.js'
import type { PictureScene, Provider } from '../ports/provider.js'
import type { Store } from '../ports.js'
import type { Model } from '../server/handlers/media.js'
import { createAnimationRunner } from '../worker/animation.js'
import { createAvatarRunner } from '../worker/avatar.js'
import { runByProvider } from '../worker/by-provider.js'
import { createDiaryRunner } from '../worker/diary.js'
import { createWorker, type Worker, type WorkerOptions } from '../worker/worker.js'
import type { DiaryCatalog } from './diary-catalog.js'
import { openModels } from './models.js'
import { onDemand } from './on-demand.js'

export interface WorkParts {
  readonly config: Config
  /** Reads what the operator's file says, where its models are to be used. */
  readonly loadOperation: () => Promise<Operation | undefined>
  readonly store: Store
  readonly objects: ObjectStore
  readonly prompts: Prompts
  readonly diary: DiaryCatalog
  readonly log: RequestLog
  /** Whether this is a server: it fails what waits for models that are gone, and has every model tried again. */
  readonly isServer: () => boolean
}

/** The models, and the worker that has them make what tasks ask for. */
export interface Work {
  getModel(alias: ConfiguredAlias): Promise<Model>
  /** Whether the stub makes what the alias stands for. */
  isStub(alias: ConfiguredAlias): boolean
  /** Of all models. */
  readonly labels: readonly string[]
  /** Starts the worker, or has it look for work at once. */
  start(): Promise<void>
  /** Has the worker look for work at once, if it was started. */
  wake(): void
  /** Starts the worker and resolves when no unit waits or is in work. */
  idle(): Promise<void>
  /** Ends the worker: lets what is sent end within `graceMs`, hands back the other units. Models can still be asked for. */
  drain(graceMs: number): Promise<void>
  close(): Promise<void>
}

/** A model that is gone costs nothing to fail. */
const slotsOfGone = 4

/**
 * Loads what tasks are run with. Worker and providers are loaded together, so that both know the errors of providers by one
 * class.
 */
export async function loadWork(parts: WorkParts): Promise<Work> {
  const { config, loadOperation, store, log } = parts
  const models = await openModels({ config, operation: await loadOperation(), store, log })
  const worker = onDemand(() => openWorker(parts, models.providers))
  let started = false
  const start = async () => {
    started = true
    ;(await worker.get()).wake()
  }
  return {
    getModel: (alias) => models.getModel(alias),
    isStub: (alias) => models.isStub(alias),
    labels: models.providers.map(({ label }) => label),
    start,
    wake: () => {
      if (started) void start()
    },
    idle: async () => (await worker.get()).idle(),
    drain: (graceMs) => worker.close((made) => made.close(graceMs)),
    close: () => models.close(),
  }
}

async function openWorker(parts: WorkParts, providers: readonly Provider[]): Promise<Worker> {
  const { store, log, isServer } = parts
  const labels = providers.map(({ label }) => label)
  // Perhaps it is started anew because what was wrong is mended. It comes first: it can fail, and a holder is to be closed.
  if (isServer()) await store.closeBreakers(labels)
  const holder = await store.openHolder()
  const gone = isServer() ? await findGone(parts, labels) : []
  return createWorker({
    store,
    log,
    holder,
    runners: createRunners(parts, providers),
    slots: Object.fromEntries([
      ...providers.map(({ label, slots }) => [label, slots] as const),
      ...gone.map((label) => [label, slotsOfGone] as const),
    ]),
    concurrency: providers.reduce((sum, { slots }) => sum + slots, 0),
  })
}

/**
 * Models of unfinished units that the operator's file does not name. Where another program works on the folder, it may have
 * another file; where the file is left aside, its models come back.
 */
async function findGone({ config, store }: WorkParts, labels: readonly string[]): Promise<string[]> {
  if (config.provider !== 'config' || (await store.hasOtherHolders())) return []
  return [...(await store.countQueued()).keys()].filter((label) => !labels.includes(label))
}

/** Units of avatars and animations are named by their pose. */
function createRunners(
  { objects, prompts, diary }: WorkParts,
  providers: readonly Provider[],
): WorkerOptions['runners'] {
  const avatarPrompt = (input: AvatarInput, pose: string) => renderAvatarPrompt(prompts, input, pose as Pose)
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

/** A diary picture in words and as it is drawn. Throws where the library no longer has its scene. */
async function describePicture(
  diary: DiaryCatalog,
  { species, breed, sceneId, promptVersion }: DiaryInput,
): Promise<{ prompt: string; scene: PictureScene }> {
  const scene = (await diary.loadScenes()).find(({ scene_id }) => scene_id === sceneId)
  if (scene === undefined) throw new Error(`the library has no scene ${sceneId}`)
  const prompt = renderDiaryPrompt(await diary.loadPrompts(), { version: promptVersion, species, scene, breed })
  return { prompt, scene: { id: sceneId, backdrop: scene.backdrop } }
}
