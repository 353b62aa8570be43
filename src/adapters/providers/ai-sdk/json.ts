/** Parses JSON. Returns undefined for another text. */
export function tryToParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns `value` if it is an object, otherwise an empty object. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** Returns `value` if it is an array, otherwise an empty one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the non-empty strings among `values`; numbers are converted. */
export function toTexts(...values: readonly unknown[]): string[] {
  return values.flatMap((value) =>
    typeof value === 'string' && value !== '' ? [value] : typeof value === 'number' ? [String(value)] : [],
  )
}
