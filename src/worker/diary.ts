import type { DiaryInput } from '../media/task-inputs.js'
import type { ObjectStore } from '../ports/objects.js'
import type { PictureScene, Provider } from '../ports/provider.js'
import { readImage, toStorable } from './avatar.js'
import { buyOnce } from './purchase.js'
import type { UnitRunner } from './runner.js'

export interface DiaryRunnerOptions {
  readonly objects: ObjectStore
  readonly provider: Provider
  /** Renders the prompt for the model, and the scene for a provider that draws without one. */
  readonly describe: (input: DiaryInput) => Promise<{ readonly prompt: string; readonly scene: PictureScene }>
}

/** Paints one scene with the pet of the references, and stores it as `ai-gateway/diary/<task>.<extension>`. */
export function createDiaryRunner({ objects, provider, describe }: DiaryRunnerOptions): UnitRunner {
  return (unit, context) =>
    buyOnce(unit, context, async (call) => {
      const input = unit.task.input as DiaryInput
      const { prompt, scene } = await describe(input)
      const picture = await provider.generatePicture(
        {
          subject: { species: input.species, pose: input.pose, scene },
          references: await Promise.all(input.referenceKeys.map((key) => readImage(objects, key))),
          prompt,
        },
        call,
      )
      return toStorable(objects, 'picture', `ai-gateway/diary/${unit.task.id}`, picture)
    })
}
