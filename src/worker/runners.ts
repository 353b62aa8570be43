import type { AvatarInput } from '../media/task-inputs.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Picture, Provider, ProviderImage } from '../ports/provider.js'
import type { ClaimedUnit } from '../ports/queue.js'
import { buyOnce, type PurchasedResult } from './purchase.js'
import type { UnitRunner } from './runner.js'

/** The parts of a runner that makes a pose of a task with this input. */
export interface PoseRunnerOptions<Input> {
  readonly objects: ObjectStore
  readonly provider: Provider
  /** Renders the prompt for the model. */
  readonly prompt: (input: Input, pose: string, references: { readonly hasCompanion: boolean }) => string
}

/** Makes one pose image from the photo, and stores it as `ai-gateway/avatars/<task>/<pose>.<extension>`. */
export function createAvatarRunner(options: PoseRunnerOptions<AvatarInput>): UnitRunner {
  const { objects, provider, prompt } = options
  return (unit, context) =>
    buyOnce(unit, context, async (call) => {
      const input = unit.task.input as AvatarInput
      const companionKey = provider.takesCompanion ? findCompanion(unit) : undefined
      const keys = [input.sourceKey, ...(companionKey === undefined ? [] : [companionKey])]
      const picture = await provider.generatePicture(
        {
          subject: { species: input.species, pose: unit.name },
          references: await Promise.all(keys.map((key) => readImage(objects, key))),
          prompt: prompt(input, unit.name, { hasCompanion: companionKey !== undefined }),
        },
        call,
      )
      return toStorable(objects, 'image', `ai-gateway/avatars/${unit.task.id}/${unit.name}`, picture)
    })
}

/** Returns the key of the first picture of the task, if it was made and is not the picture of this unit. */
function findCompanion({ name, task }: ClaimedUnit): string | undefined {
  const [first] = task.units
  return first?.status === 'success' && first.name !== name ? first.output?.files.image : undefined
}

/** Returns a picture that will be stored under `name` with its extension, as the file of this role. */
export function toStorable(
  objects: ObjectStore,
  role: string,
  name: string,
  { image, purchase }: Picture,
): PurchasedResult {
  const key = `${name}.${endings[image.contentType]}`
  const store = async () => {
    await objects.put(key, image.bytes)
    return { files: { [role]: key } }
  }
  return { purchase, store }
}

const endings: Readonly<Record<ProviderImage['contentType'], string>> = {
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
