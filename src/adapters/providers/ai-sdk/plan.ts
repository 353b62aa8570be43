import { findKnownModel } from '../../../models/known-models.js'
import type { ModelSettings } from '../../../models/settings.js'
import type { ClipRequest, PictureRequest, ProviderImage, Purchase } from '../../../ports/provider.js'
import type { ClipSupport, PictureSupport, Vendor } from './vendor.js'

type ProviderOptions = Record<string, Record<string, never>>

/** The SDK arguments for a picture, and its price. */
export interface PicturePlan {
  readonly prompt: string | { text: string; images: Uint8Array[] }
  /** `size` and `aspectRatio`, if the SDK has parameters for them. */
  readonly callOptions: Readonly<Record<string, never>>
  readonly providerOptions: ProviderOptions
  readonly purchase: Purchase
}

/** The SDK arguments for a clip, and its price. */
export interface ClipPlan {
  readonly prompt: string | { text: string; image: Uint8Array }
  readonly frameImages: { image: Uint8Array; frameType: 'first_frame' | 'last_frame' }[]
  readonly duration: number | undefined
  readonly providerOptions: ProviderOptions
  readonly purchase: Purchase
  /** True if the price is per second and only the finished clip tells its length. */
  readonly isEstimate: boolean
}

/**
 * Options are the vendor's own, except `references`: the maximum number of reference pictures. If an option names a
 * picture (`$reference`, `$references`), the model gets it only there.
 */
export function planPicture(
  settings: ModelSettings,
  vendor: Vendor,
  support: PictureSupport,
  request: PictureRequest,
): PicturePlan {
  const { references: _, ...options } = settings.options
  const references = request.references.slice(0, countReferences(settings, support))
  const likeness = references.length > 0 && findKnownModel(settings.provider, settings.model)?.inputFidelity
  const given = likeness && support.fidelityOption ? { [support.fidelityOption]: 'high', ...options } : options
  const { filled, named } = fillOptions(given, { $reference: references[0], $references: references })
  const isLifted = (name: string) => support.callOptions?.some((one) => one === name) === true
  const pick = (lifted: boolean) =>
    Object.fromEntries(Object.entries(filled).filter(([name]) => isLifted(name) === lifted)) as Record<string, never>
  const images = named.size > 0 ? [] : references.map(({ bytes }) => bytes)
  return {
    prompt: images.length > 0 ? { text: request.prompt, images } : request.prompt,
    callOptions: pick(true),
    providerOptions: { [vendor.optionsKey]: { ...pick(false), ...support.options } as Record<string, never> },
    purchase: { quantity: 1, costMicros: settings.price.micros },
  }
}

/** Returns the number of pictures of the pet that a request sends: that of the option, of the known model, or of the vendor. */
export function countReferences({ provider, model, options }: ModelSettings, support: PictureSupport): number {
  if (typeof options.references === 'number') return options.references
  const { named } = fillOptions(options, { $reference: undefined, $references: [] })
  if (named.has('$reference') && !named.has('$references')) return 1
  const known = findKnownModel(provider, model)?.references
  // The operator knows that the field takes a list.
  return known ?? (named.has('$references') ? manyReferences : support.countReferences(model, options))
}

const manyReferences = 8

/**
 * Options are the vendor's own. A model with a field for the last frame gets it from an option with the value
 * `$lastFrame`; likewise `$firstFrame`.
 */
export function planClip(
  settings: ModelSettings,
  vendor: Vendor,
  support: ClipSupport,
  request: ClipRequest,
): ClipPlan {
  const { firstFrame, lastFrame } = request
  const { filled, named } = fillOptions(settings.options, { $firstFrame: firstFrame, $lastFrame: lastFrame })
  const { seconds, isSet } = findSeconds(filled, support, request.seconds)
  return {
    ...planFrames(request.prompt, firstFrame, lastFrame, support.takesLastFrame, named),
    duration: support.sendsSeconds && !isSet ? seconds : undefined,
    providerOptions: { [vendor.optionsKey]: { ...filled, ...support.options } as Record<string, never> },
    purchase: priceClip(settings, seconds),
    isEstimate: settings.price.per === 'second' && !isSet && !support.sendsSeconds,
  }
}

/** Returns the expected cost of a picture, or of a clip of this length. */
export function estimateMicros(settings: ModelSettings, { clip }: Vendor, seconds: number): number {
  if (settings.kind === 'image' || clip === undefined) return settings.price.micros
  return priceClip(settings, findSeconds(settings.options, clip, seconds).seconds).costMicros
}

/**
 * Returns the length of the clip: that of the option, or the shortest supported length that is not below the
 * requested one.
 */
function findSeconds(
  options: Readonly<Record<string, unknown>>,
  { secondsOption, seconds }: Pick<ClipSupport, 'secondsOption' | 'seconds'>,
  asked: number,
): { readonly seconds: number; readonly isSet: boolean } {
  const told = Number.parseFloat(String(options[secondsOption]))
  const isSet = Number.isFinite(told) && told > 0
  return { seconds: isSet ? told : Math.max(asked, seconds), isSet }
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

/** The pictures that an option can name, for models that take them in a field of their own. */
interface NamedPictures {
  readonly $firstFrame?: ProviderImage
  readonly $lastFrame?: ProviderImage
  readonly $reference?: ProviderImage | undefined
  readonly $references?: readonly ProviderImage[]
}

/** Replaces each option value that names a picture by its data URL; `named` are the names that occurred. */
export function fillOptions(options: Readonly<Record<string, unknown>>, pictures: NamedPictures) {
  const named = new Set<string>()
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string' && Object.hasOwn(pictures, value)) {
      named.add(value)
      const found = pictures[value as keyof NamedPictures]
      return found === undefined ? undefined : 'bytes' in found ? toDataUrl(found) : found.map(toDataUrl)
    }
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value === 'object' && value !== null) return fillAll(value)
    return value
  }
  const fillAll = (object: object) =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, fill(value)]))
  return { filled: fillAll(options), named }
}

function toDataUrl({ bytes, contentType }: ProviderImage): string {
  return `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`
}
