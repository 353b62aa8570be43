const counts =
  /^(n|num(berof)?(images|outputs|videos|samples|generations)|(sample|candidate|image)count|maximages|batchsize)$/

/** Names of options that are for keys; numbers such as `max_tokens` are none. */
export function findSecretNames(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (typeof value === 'string') {
      return /api[-_]?key|authorization|token|secret|password/i.test(name) && name.length <= 64 ? [name] : []
    }
    return typeof value === 'object' && value !== null ? findSecretNames(value as Record<string, unknown>) : []
  })
}

/** Names of options that would have one call make, and charge for, more than one; `1` and `"disabled"` ask for no more. */
export function findCountNames(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const plain = name.toLowerCase().replaceAll(/[_-]/g, '')
    if (counts.test(plain)) return Number(value) === 1 ? [] : [name]
    if (plain === 'sequentialimagegeneration') return value === 'disabled' ? [] : [name]
    return typeof value === 'object' && value !== null ? findCountNames(value as Record<string, unknown>) : []
  })
}
