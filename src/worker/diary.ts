import type { DiaryInput } from '../media/tasks.js'
import type { ObjectStore } from '../ports/objects.js'
import type { PictureScene, Provider } from '../ports/provider.js'
import { endings, readImage } from './avatar.js'
import { buyOnce } from './purchase.js'
import type { UnitRunner } from './runner.js'

export interface DiaryRunnerOptions {
  readonly objects: ObjectStore
  readonly provider: Provider
  /** The words for the model, and what stands for them where none paints. */
  readonly describe: (input: DiaryInput) => Promise<{ readonly prompt: string; readonly scene: PictureScene }>
}

/** Paints one scene with the pet of the references, and keeps it as `ai-gateway/diary/<task>.<ending>`. */
export function createDiaryRunner({ objects, provider, describe }: DiaryRunnerOptions): UnitRunner {
  return (unit, context) =>
    buyOnce(unit, context, async (call) => {
      const input = unit.task.input as DiaryInput
      const { prompt, scene } = await describe(input)
      const { image, purchase } = await provider.generatePicture(
        {
          subject: { species: input.species, pose: input.pose, scene },
          references: await Promise.all(input.referenceKeys.map((key) => readImage(objects, key))),
          prompt,
          options: {},
        },
        call,
      )
      const key = `ai-gateway/diary/${unit.task.id}.${endings[image.contentType]}`
      return {
        purchase,
        async store() {
          await objects.put(key, image.bytes)
          return { files: { picture: key } }
        },
      }
    })
}
