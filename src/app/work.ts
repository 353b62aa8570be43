import { createStubProvider } from '../adapters/provider/stub/provider.js'
import type { Config } from '../config.js'
import type { RequestLog } from '../log.js'
import type { Pose } from '../media/poses.js'
import { type Prompts, renderAnimationPrompt, renderAvatarPrompt } from '../media/prompts.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Provider } from '../ports/provider.js'
import type { Store } from '../ports.js'
import { createAnimationRunner } from '../worker/animation.js'
import { createAvatarRunner } from '../worker/avatar.js'
import { createWorker } from '../worker/worker.js'
import { onDemand } from './on-demand.js'

export interface WorkParts {
  readonly config: Config
  readonly store: Store
  readonly objects: ObjectStore
  readonly prompts: Prompts
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
export async function loadWork({ config, store, objects, prompts, log }: WorkParts): Promise<Work> {
  const provider = createStubProvider({ delayMs: config.stubDelayMs, fail: config.stubFail })
  const worker = onDemand(async () =>
    createWorker({
      store,
      log,
      holder: await store.openHolder(),
      // Units of these tasks are named by their pose.
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
