import { createStubProvider } from '../adapters/provider/stub/provider.js'
import type { Config } from '../config.js'
import type { RequestLog } from '../log.js'
import { renderDiaryPrompt } from '../media/diary-prompt.js'
import type { Pose } from '../media/poses.js'
import { type Prompts, renderAnimationPrompt, renderAvatarPrompt } from '../media/prompts.js'
import type { DiaryInput } from '../media/tasks.js'
import type { ObjectStore } from '../ports/objects.js'
import type { PictureScene, Provider } from '../ports/provider.js'
import type { Store } from '../ports.js'
import { createAnimationRunner } from '../worker/animation.js'
import { createAvatarRunner } from '../worker/avatar.js'
import { createDiaryRunner } from '../worker/diary.js'
import { createWorker } from '../worker/worker.js'
import type { DiaryCatalog } from './diary-catalog.js'
import { onDemand } from './on-demand.js'

export interface WorkParts {
  readonly config: Config
  readonly store: Store
  readonly objects: ObjectStore
  readonly prompts: Prompts
  readonly diary: DiaryCatalog
  readonly log: RequestLog
}

/** The provider, and the worker that has it make what tasks ask for. */
export interface Work {
  readonly provider: Provider
  /** Starts the worker, or has it look for work at once. */
  start(): Promise<void>
  /** Has the worker look for work at once, if it was started. */
  wake(): void
  /** Starts the worker and resolves when no unit waits or is in work. */
  idle(): Promise<void>
  /** Lets running units end within `graceMs`, hands back the others. */
  close(graceMs: number): Promise<void>
}

/**
 * Loads what tasks are run with. Worker and provider are loaded together, so that both know the provider's errors by one class.
 */
export async function loadWork({ config, store, objects, prompts, diary, log }: WorkParts): Promise<Work> {
  const provider = createStubProvider({ delayMs: config.stubDelayMs, fail: config.stubFail })
  const worker = onDemand(async () =>
    createWorker({
      store,
      log,
      holder: await store.openHolder(),
      // Units of avatars and animations are named by their pose.
      runners: {
        avatar: createAvatarRunner({
          objects,
          provider,
          prompt: (input, pose) => renderAvatarPrompt(prompts, input, pose as Pose),
        }),
        animation: createAnimationRunner({
          objects,
          provider,
          prompt: (input, pose) => renderAnimationPrompt(prompts, input, pose as Pose),
        }),
        diary: createDiaryRunner({ objects, provider, describe: (input) => describePicture(diary, input) }),
      },
      slots: { [provider.label]: provider.slots },
      concurrency: provider.slots,
    }),
  )
  let started = false
  const start = async () => {
    started = true
    ;(await worker.get()).wake()
  }
  return {
    provider,
    start,
    wake: () => {
      if (started) void start()
    },
    idle: async () => (await worker.get()).idle(),
    async close(graceMs) {
      try {
        await worker.close((made) => made.close(graceMs))
      } finally {
        await provider.close()
      }
    },
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
