import type { ModelSettings } from '../../../ports/models.js'
import type { ClipRequest, PictureRequest, ProviderImage, Purchase } from '../../../ports/provider.js'
import { fillOptions } from './options.js'
import type { ClipHabits, PictureHabits, Vendor } from './vendor.js'

type ProviderOptions = Record<string, Record<string, never>>

/** What the SDK is called with for a picture, and what it costs. */
export interface PicturePlan {
  readonly prompt: string | { text: string; images: Uint8Array[] }
  /** `size` and `aspectRatio`, where the SDK takes them itself. */
  readonly callOptions: Readonly<Record<string, never>>
  readonly providerOptions: ProviderOptions
  readonly purchase: Purchase
}

/** What the SDK is called with for a clip, and what it costs. */
export interface ClipPlan {
  readonly prompt: string | { text: string; image: Uint8Array }
  readonly frameImages: { image: Uint8Array; frameType: 'first_frame' | 'last_frame' }[]
  readonly duration: number | undefined
  readonly providerOptions: ProviderOptions
  readonly purchase: Purchase
  /** Whether the price is of seconds that only the clip itself tells. */
  readonly isEstimate: boolean
}

/**
 * The options are the vendor's own, but for one: `references` is how many pictures of the pet the model is shown at most.
 * Where an option names a picture (`$reference`, `$references`), the model gets it there and nowhere else.
 */
export function planPicture(
  settings: ModelSettings,
  vendor: Vendor,
  habits: PictureHabits,
  request: PictureRequest,
): PicturePlan {
  const { references: most, ...options } = { ...settings.options, ...request.options }
  const count = typeof most === 'number' ? most : habits.countReferences(settings.model, options)
  const references = request.references.slice(0, count)
  const { filled, named } = fillOptions(options, { $reference: references[0], $references: references })
  const isLifted = (name: string) => habits.callOptions.some((one) => one === name)
  const pick = (lifted: boolean) =>
    Object.fromEntries(Object.entries(filled).filter(([name]) => isLifted(name) === lifted)) as Record<string, never>
  const images = named.size > 0 ? [] : references.map(({ bytes }) => bytes)
  return {
    prompt: images.length > 0 ? { text: request.prompt, images } : request.prompt,
    callOptions: pick(true),
    providerOptions: { [vendor.optionsKey]: { ...pick(false), ...habits.options } as Record<string, never> },
    purchase: { quantity: 1, costMicros: settings.price.micros },
  }
}

/**
 * The options are the vendor's own. A model that takes the last frame in a field of its own gets it by an option whose
 * value is `$lastFrame`; `$firstFrame` likewise.
 */
export function planClip(settings: ModelSettings, vendor: Vendor, habits: ClipHabits, request: ClipRequest): ClipPlan {
  const { firstFrame, lastFrame } = request
  const { filled, named } = fillOptions(
    { ...settings.options, ...request.options },
    { $firstFrame: firstFrame, $lastFrame: lastFrame },
  )
  const { seconds, isTold } = findSeconds(filled, habits, request.seconds)
  return {
    ...planFrames(request.prompt, firstFrame, lastFrame, habits.takesLastFrame, named),
    duration: habits.tellsSeconds && !isTold ? seconds : undefined,
    providerOptions: { [vendor.optionsKey]: { ...filled, ...habits.options } as Record<string, never> },
    purchase: priceClip(settings, seconds),
    isEstimate: settings.price.per === 'second' && !isTold && !habits.tellsSeconds,
  }
}

/** What a picture, or a clip of so many seconds, is expected to cost. */
export function estimateMicros(settings: ModelSettings, { clip }: Vendor, seconds: number): number {
  if (settings.kind === 'image' || clip === undefined) return settings.price.micros
  return priceClip(settings, findSeconds(settings.options, clip, seconds).seconds).costMicros
}

/** How long a clip is made: as an option tells, or so long that the model makes it. */
function findSeconds(
  options: Readonly<Record<string, unknown>>,
  { secondsOption, seconds }: Pick<ClipHabits, 'secondsOption' | 'seconds'>,
  asked: number,
): { readonly seconds: number; readonly isTold: boolean } {
  const told = Number.parseFloat(String(options[secondsOption]))
  const isTold = Number.isFinite(told) && told > 0
  return { seconds: isTold ? told : Math.max(asked, seconds), isTold }
}

export function priceClip({ price }: Pick<ModelSettings, 'price'>, seconds: number): Purchase {
  return { quantity: 1, costMicros: Math.round(price.per === 'second' ? price.micros * seconds : price.micros) }
}

function planFrames(
  text: string,
  { bytes: first }: ProviderImage,
  { bytes: last }: ProviderImage,
  takesLast: boolean,
  named: ReadonlySet<string>,
): Pick<ClipPlan, 'prompt' | 'frameImages'> {
  if (!takesLast) return { prompt: named.has('$firstFrame') ? text : { text, image: first }, frameImages: [] }
  return {
    prompt: text,
    frameImages: [
      { image: first, frameType: 'first_frame' },
      { image: last, frameType: 'last_frame' },
    ],
  }
}
