/** `value` as an object whose members may be looked at; an empty one if it is none. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** `value` as a list; an empty one if it is none. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The texts among `values`, in their order; numbers count as texts. */
export function toTexts(...values: readonly unknown[]): string[] {
  return values.flatMap((value) =>
    typeof value === 'string' && value !== '' ? [value] : typeof value === 'number' ? [String(value)] : [],
  )
}
