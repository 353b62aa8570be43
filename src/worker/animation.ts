import type { AnimationInput } from '../media/task-inputs.js'
import type { ObjectStore } from '../ports/objects.js'
import { type Clip, ProviderError } from '../ports/provider.js'
import type { UnitOutput } from '../ports/tasks.js'
import { type PoseRunnerOptions, readImage } from './avatar.js'
import { buyOnce } from './purchase.js'
import type { RunContext, UnitRunner } from './runner.js'

/**
 * Makes the clip of one pose, which begins and ends with the pose image, and stores it as
 * `ai-gateway/animations/<task>/<pose>.webp` and `.mp4`. A format that the provider did not make is omitted.
 */
export function createAnimationRunner(options: PoseRunnerOptions<AnimationInput>): UnitRunner {
  const { objects, provider, prompt } = options
  return (unit, context) =>
    buyOnce(unit, context, async (call) => {
      const input = unit.task.input as AnimationInput
      const frame = await readImage(objects, input.frames[unit.name] ?? '')
      const clip = await provider.generateClip(
        {
          subject: { species: input.species, pose: unit.name },
          firstFrame: frame,
          lastFrame: frame,
          references: [await readImage(objects, input.sourceKey)],
          prompt: prompt(input, unit.name, { hasCompanion: false }),
          seconds: input.seconds,
        },
        call,
      )
      const keyPrefix = `ai-gateway/animations/${unit.task.id}/${unit.name}`
      return { purchase: clip.purchase, store: () => storeClip(objects, keyPrefix, clip, context.only) }
    })
}

async function storeClip(
  objects: ObjectStore,
  keyPrefix: string,
  clip: Clip,
  only: RunContext['only'],
): Promise<UnitOutput> {
  const files: Record<string, string> = {}
  for (const role of ['webp', 'mp4'] as const) {
    const bytes = clip[role]
    if (bytes === null || (only !== undefined && only !== role)) continue
    files[role] = `${keyPrefix}.${role}`
    await objects.put(files[role], bytes)
  }
  if (Object.keys(files).length === 0) {
    const message = 'The model service answered without a clip.'
    throw new ProviderError('provider_error', message, { wire: 'refused', retryable: false })
  }
  return { files, durationSeconds: clip.durationSeconds }
}
