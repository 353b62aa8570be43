/** Lists the names and indexes of a JSON Pointer. */
export function readPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Writes the JSON Pointer of names and indexes. */
export function toPointer(names: readonly (string | number)[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns the value at a JSON Pointer; `undefined` if there is no value. */
export function findAt(value: unknown, pointer: string): unknown {
  let found = value
  for (const name of readPointer(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}
