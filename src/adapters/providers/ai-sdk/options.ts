import type { ProviderImage } from '../../../ports/provider.js'

/** The pictures that an option can name, for models that take them in a field of their own. */
export interface NamedPictures {
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
