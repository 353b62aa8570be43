/**
 * Keeps the last result for each text, with what it was made from: an edit changes the findings of few texts. Returns the
 * kept result, or makes one.
 */
export function keepLast<Result>(): (id: string, from: unknown, make: () => Result) => Result {
  const kept = new Map<string, { readonly from: string; readonly result: Result }>()
  return (id, from, make) => {
    const content = JSON.stringify(from)
    const former = kept.get(id)
    if (former?.from === content) return former.result
    const result = make()
    kept.set(id, { from: content, result })
    return result
  }
}

/** Returns a function that makes a value when it is first called. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
