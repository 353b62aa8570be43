import { createStubProvider } from '../adapters/providers/stub/provider.js'
import { readPrompts } from '../catalog/catalog.js'
import type { StorageConfig } from '../config/storage.js'
import type { Config } from '../config.js'
import type { Pose, Species, TaskLocale } from '../media/poses.js'
import { renderAvatarPrompt } from '../media/prompts.js'
import type { ModelSettings } from '../models/settings.js'
import { isProviderError, type Provider, type ProviderImage, type Purchase } from '../ports/provider.js'
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
  /** Receives each result at once: after an error or a stop, there is no other way to them. */
  onPicture(picture: ComparedPicture): void
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
 * of the data directory under `provider-compare`, also those that were sent before `stop` was aborted, or another model
 * threw. Throws then, after the last call.
 */
export async function compareModels(
  request: ComparisonRequest,
  config: StorageConfig & Pick<Config, 'allowPrivateUrls'>,
  stop: AbortSignal,
): Promise<void> {
  const isPaid = request.models.some(({ settings }) => settings !== 'stub')
  // Opened before a purchase, so that a call that cannot be booked is not made.
  const { openStore } = await import('./storage/open-store.js')
  const store = isPaid ? await openStore(config, { mayCreate: true }) : undefined
  const pictures = openPictureCheck()
  try {
    const tools = { store, pictures, allowPrivate: config.allowPrivateUrls, stop }
    const ends = await Promise.allSettled(request.models.map((model) => makePoses(request, model, tools)))
    stop.throwIfAborted()
    for (const end of ends) if (end.status === 'rejected') throw end.reason
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
async function makePoses(request: ComparisonRequest, model: ComparedModel, tools: Tools): Promise<void> {
  const provider = await openProvider(model, tools)
  let first: ProviderImage | undefined
  try {
    for (const [place, pose] of request.poses.entries()) {
      if (tools.stop.aborted) break
      const companion = provider.takesCompanion ? first : undefined
      const image = await makePose(request, model, pose, { ...tools, provider, companion })
      if (place === 0) first = image
    }
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

/** Makes, shows and books one picture, and returns it in full size. Throws what is not the fault of the model. */
async function makePose(
  { species, locale, photo, onPicture }: ComparisonRequest,
  { name, settings }: ComparedModel,
  pose: Pose,
  { provider, companion, store, pictures, stop }: PoseTools,
): Promise<ProviderImage | undefined> {
  const input = { species, locale, sourceKey: '' } as const
  const prompt = renderAvatarPrompt(readPrompts(), input, pose, { hasCompanion: companion !== undefined })
  const references = [{ bytes: photo, contentType: 'image/jpeg' } as const, ...(companion ? [companion] : [])]
  const { call, close, findBegun } = openSoleCall(stop, 'provider-compare')
  const startedAt = performance.now()
  const outcome: PictureOutcome = await provider
    .generatePicture({ subject: { species, pose }, references, prompt, options: {} }, call)
    .then(
      ({ image, purchase }) => ({ image, purchase, isCertain: true }),
      (error: unknown) => {
        if (!stop.aborted && isProviderError(error)) {
          const { purchase, wire, code, message } = error
          return { purchase, isCertain: wire === 'ordered', problem: `${code}: ${message}` }
        }
        const begun = findBegun()
        const bought = { purchase: begun?.purchase, isCertain: begun?.isOrdered ?? false }
        return stop.aborted ? { ...bought, problem: 'stopped' } : { ...bought, problem: 'failed', cause: error }
      },
    )
    .finally(close)
  const seconds = (performance.now() - startedAt) / 1000
  const { image, purchase, isCertain, problem } = outcome
  const booked = { maker: 'provider-compare', isCertain, isDelivered: image !== undefined }
  const isBooked = store !== undefined && settings !== 'stub' && purchase !== undefined
  // A picture that cannot be booked is paid, too: it is shown before the error is thrown.
  const [booking, scaling] = await Promise.allSettled([
    isBooked ? bookSoleCall(store, settings, { ...booked, purchase }) : undefined,
    image && pictures.toFrame(image.bytes),
  ])
  const small = scaling.status === 'fulfilled' ? scaling.value : undefined
  const shown = small ? ({ bytes: small.jpeg, contentType: 'image/jpeg' } as const) : image
  onPicture({ model: name, pose, prompt, seconds, costMicros: purchase?.costMicros ?? 0, isCertain, shown, problem })
  if (outcome.cause !== undefined) throw outcome.cause
  if (booking.status === 'rejected') throw booking.reason
  return image
}

interface PictureOutcome extends Pick<ComparedPicture, 'isCertain'> {
  readonly image?: ProviderImage
  readonly purchase: Purchase | undefined
  readonly problem?: string
  /** The error that is not of the model. */
  readonly cause?: unknown
}
