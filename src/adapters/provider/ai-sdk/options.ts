import type { ProviderImage } from '../../../ports/provider.js'

/** The pictures of a request that an option can ask for, where a model takes them in a field of its own. */
export interface Pictures {
  readonly $firstFrame?: ProviderImage
  readonly $lastFrame?: ProviderImage
  readonly $reference?: ProviderImage | undefined
  readonly $references?: readonly ProviderImage[]
}

/** `options` with each value that names a picture replaced by its data URL; `named` are those that were named. */
export function fillOptions(options: Readonly<Record<string, unknown>>, pictures: Pictures) {
  const named = new Set<string>()
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string' && Object.hasOwn(pictures, value)) {
      named.add(value)
      const found = pictures[value as keyof Pictures]
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
