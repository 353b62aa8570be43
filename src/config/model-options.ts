const counts =
  /^(n|num(berof)?(images|outputs|videos|samples|generations)|(sample|candidate|image)count|maximages|batchsize)$/

/** Finds names of options that contain keys; numbers such as `max_tokens` are allowed. */
export function findSecretNames(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (typeof value === 'string') {
      return /api[-_]?key|authorization|token|secret|password/i.test(name) && name.length <= 64 ? [name] : []
    }
    return typeof value === 'object' && value !== null ? findSecretNames(value as Record<string, unknown>) : []
  })
}

/**
 * Finds names of options that make one call produce, and charge for, several results; `1` and `"disabled"` are
 * allowed.
 */
export function findCountNames(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const plain = name.toLowerCase().replaceAll(/[_-]/g, '')
    if (counts.test(plain)) return Number(value) === 1 ? [] : [name]
    if (plain === 'sequentialimagegeneration') return value === 'disabled' ? [] : [name]
    return typeof value === 'object' && value !== null ? findCountNames(value as Record<string, unknown>) : []
  })
}
