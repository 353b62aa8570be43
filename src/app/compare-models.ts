import { createStubProvider } from '../adapters/providers/stub/provider.js'
import { readPrompts } from '../catalog/catalog.js'
import type { StorageConfig } from '../config/storage.js'
import type { Config } from '../config.js'
import type { Pose, Species, TaskLocale } from '../media/poses.js'
import { renderAvatarPrompt } from '../media/prompts.js'
import type { ModelSettings } from '../models/settings.js'
import { isProviderError, type Provider, type ProviderImage } from '../ports/provider.js'
import type { Store } from '../ports/store.js'
import { openPictureCheck, type PictureCheck } from './picture-check.js'
import { bookSoleCall, openSoleCall } from './sole-call.js'

/** A model to compare; the stub draws for nothing. */
export interface ComparedModel {
  /** `provider:model`, or `stub`. */
  readonly name: string
  readonly settings: ModelSettings | 'stub'
}

export interface ComparisonRequest {
  /** As read by `readPhoto`. */
  readonly photo: Uint8Array
  readonly species: Species
  readonly locale: TaskLocale
  readonly poses: readonly Pose[]
  readonly models: readonly ComparedModel[]
}

/** The result of one model for one pose. */
export interface ComparedPicture {
  readonly model: string
  readonly pose: Pose
  readonly prompt: string
  readonly seconds: number
  /** Millionths of a US dollar; 0 if nothing was bought. */
  readonly costMicros: number
  /** False if the answer was lost: perhaps not paid. */
  readonly isCertain: boolean
  /** Scaled down for a page; undefined if the model made no picture. */
  readonly shown: ProviderImage | undefined
  /** Why there is no picture, in the words of the model service. */
  readonly problem: string | undefined
}

/** Reads and checks a photo as the server does. Throws `invalid_request`. */
export async function readPhoto(bytes: Uint8Array, { imageMinSide, imageMaxBytes }: Config): Promise<Uint8Array> {
  const { createPhotoReader } = await import('../adapters/photos/photo-reader.js')
  const reader = createPhotoReader({ minSide: imageMinSide, maxBytes: imageMaxBytes })
  try {
    return (await reader.readPhoto(bytes, 'photo')).jpeg
  } finally {
    await reader.close()
  }
}

/**
 * Has each model make the poses from the same photo, all models at once, each call once. Paid calls are booked in the ledger
 * of the data directory under `provider-compare`, also those that were sent before `stop` was aborted.
 */
export async function compareModels(
  request: ComparisonRequest,
  config: StorageConfig & Pick<Config, 'allowPrivateUrls'>,
  stop: AbortSignal,
): Promise<ComparedPicture[]> {
  const isPaid = request.models.some(({ settings }) => settings !== 'stub')
  // Opened before a purchase, so that a call that cannot be booked is not made.
  const { openStore } = await import('./storage/open-store.js')
  const store = isPaid ? await openStore(config, { mayCreate: true }) : undefined
  const pictures = openPictureCheck()
  try {
    const made = await Promise.all(
      request.models.map((model) =>
        makePoses(request, model, { store, pictures, allowPrivate: config.allowPrivateUrls, stop }),
      ),
    )
    stop.throwIfAborted()
    return made.flat()
  } finally {
    await Promise.all([store?.close(), pictures.close()])
  }
}

interface Tools {
  readonly store: Store | undefined
  readonly pictures: PictureCheck
  readonly allowPrivate: boolean
  readonly stop: AbortSignal
}

/** One after the other, because the first pose may be a reference for the others. */
async function makePoses(request: ComparisonRequest, model: ComparedModel, tools: Tools): Promise<ComparedPicture[]> {
  const provider = await openProvider(model, tools)
  const made: ComparedPicture[] = []
  let first: ProviderImage | undefined
  try {
    for (const [place, pose] of request.poses.entries()) {
      if (tools.stop.aborted) break
      const companion = provider.takesCompanion ? first : undefined
      const { image, ...picture } = await makePose(request, model, pose, { ...tools, provider, companion })
      made.push(picture)
      if (place === 0) first = image
    }
    return made
  } finally {
    await provider.close()
  }
}

async function openProvider({ settings }: ComparedModel, { allowPrivate, pictures }: Tools): Promise<Provider> {
  if (settings === 'stub') return createStubProvider({ delayMs: 0, fail: [] })
  // The SDK is large.
  const { createAiSdkProvider } = await import('../adapters/providers/ai-sdk/provider.js')
  return createAiSdkProvider(settings, { log: { write: () => {} }, allowPrivate, ...pictures })
}

interface PoseTools extends Tools {
  readonly provider: Provider
  readonly companion: ProviderImage | undefined
}

async function makePose(
  { species, locale, photo }: ComparisonRequest,
  { name, settings }: ComparedModel,
  pose: Pose,
  { provider, companion, store, pictures, stop }: PoseTools,
): Promise<ComparedPicture & { readonly image: ProviderImage | undefined }> {
  const input = { species, locale, sourceKey: '' } as const
  const prompt = renderAvatarPrompt(readPrompts(), input, pose, { hasCompanion: companion !== undefined })
  const references = [{ bytes: photo, contentType: 'image/jpeg' } as const, ...(companion ? [companion] : [])]
  const { call, close, findBegun } = openSoleCall(stop, 'provider-compare')
  const startedAt = performance.now()
  const outcome = await provider
    .generatePicture({ subject: { species, pose }, references, prompt, options: {} }, call)
    .then(
      ({ image, purchase }) => ({ image, purchase, isCertain: true, problem: undefined }),
      (error: unknown) => {
        const begun = findBegun()
        if (stop.aborted) {
          return {
            image: undefined,
            purchase: begun?.purchase,
            isCertain: begun?.isOrdered ?? false,
            problem: 'stopped',
          }
        }
        if (!isProviderError(error)) throw error
        const { purchase, wire, code, message } = error
        return { image: undefined, purchase, isCertain: wire === 'ordered', problem: `${code}: ${message}` }
      },
    )
    .finally(close)
  const seconds = (performance.now() - startedAt) / 1000
  const { image, purchase, isCertain, problem } = outcome
  if (purchase !== undefined && settings !== 'stub') {
    const booked = { maker: 'provider-compare', purchase, isCertain, isDelivered: image !== undefined }
    if (store !== undefined) await bookSoleCall(store, settings, booked)
  }
  const small = image && (await pictures.toFrame(image.bytes))
  const shown = small ? ({ bytes: small.jpeg, contentType: 'image/jpeg' } as const) : image
  return {
    model: name,
    pose,
    prompt,
    seconds,
    costMicros: purchase?.costMicros ?? 0,
    isCertain,
    shown,
    problem,
    image,
  }
}
