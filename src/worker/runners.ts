import type { AnimationInput, AvatarInput, DiaryInput } from '../media/task-inputs.js'
import type { ObjectStore } from '../ports/objects.js'
import {
  type Clip,
  type Picture,
  type PictureScene,
  type Provider,
  ProviderError,
  type ProviderImage,
} from '../ports/provider.js'
import type { ClaimedUnit } from '../ports/queue.js'
import type { UnitOutput } from '../ports/tasks.js'
import { buyOnce, findBegun, type PurchasedResult } from './purchase.js'
import type { RunContext, UnitRunner } from './unit-attempt.js'

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
  return { purchase, store, remove: (key) => objects.delete(key) }
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
      const store = () => storeClip(objects, keyPrefix, clip, context.only)
      return { purchase: clip.purchase, store, remove: (key) => objects.delete(key) }
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

interface DiaryRunnerOptions {
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

/** The interval at which an order without its provider is retried. */
const retryMs = 300_000

/**
 * Runs each unit with the provider that its task was created for. If that provider is not configured any more, the unit
 * fails: another model has another price, and cannot continue what the first began. An order is paid, so it waits for its
 * provider until the task's deadline.
 */
export function runByProvider(providers: readonly Provider[], create: (provider: Provider) => UnitRunner): UnitRunner {
  const runners = new Map(providers.map((provider) => [provider.label, create(provider)]))
  return (unit, context) => (runners.get(unit.task.provider) ?? refuse)(unit, context)
}

/** Delivers a result that was bought and stored before; fails otherwise. */
const refuse: UnitRunner = (unit, context) =>
  buyOnce(unit, context, async ({ memo }) => {
    const message = `The model ${unit.task.provider} is not configured any more.`
    const begun = findBegun(unit.memo)
    if (begun?.isOrdered) {
      const kept = { wire: 'ordered', retryable: true, retryAfterMs: retryMs, purchase: begun.purchase } as const
      throw new ProviderError('model_removed', message, kept)
    }
    const wire = memo === null ? 'not_sent' : 'ambiguous'
    throw new ProviderError('model_removed', message, { wire, retryable: false })
  })
