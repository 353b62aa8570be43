import type { AvatarInput } from '../media/tasks.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Provider, ProviderImage } from '../ports/provider.js'
import { buyOnce } from './purchase.js'
import type { UnitRunner } from './runner.js'

export interface AvatarRunnerOptions {
  readonly objects: ObjectStore
  readonly provider: Provider
  /** Renders the prompt for the model. */
  readonly prompt: (input: AvatarInput, pose: string) => string
  /** Passed to the provider unchanged. */
  readonly modelOptions?: Readonly<Record<string, unknown>>
}

/** Makes one pose image from the photo, and stores it as `ai-gateway/avatars/<task>/<pose>.<extension>`. */
export function createAvatarRunner({ objects, provider, prompt, modelOptions = {} }: AvatarRunnerOptions): UnitRunner {
  return (unit, context) =>
    buyOnce(unit, context, async (call) => {
      const input = unit.task.input as AvatarInput
      const { image, purchase } = await provider.generatePicture(
        {
          subject: { species: input.species, pose: unit.name },
          references: [await readImage(objects, input.sourceKey)],
          prompt: prompt(input, unit.name),
          options: modelOptions,
        },
        call,
      )
      const key = `ai-gateway/avatars/${unit.task.id}/${unit.name}.${endings[image.contentType]}`
      return {
        purchase,
        async store() {
          await objects.put(key, image.bytes)
          return { files: { image: key } }
        },
      }
    })
}

export const endings: Readonly<Record<ProviderImage['contentType'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/** Reads an image. Its key's extension tells the type; without a known extension it is a photo, which is stored as JPEG. */
export async function readImage(objects: ObjectStore, key: string): Promise<ProviderImage> {
  const types = Object.keys(endings) as ProviderImage['contentType'][]
  const contentType = types.find((type) => key.endsWith(`.${endings[type]}`)) ?? 'image/jpeg'
  return { bytes: await objects.get(key), contentType }
}
