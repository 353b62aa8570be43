import type { RuleHit } from '../../log.js'

/** A body of nothing but odd names is not worth more. */
const namesRead = 100

/**
 * Fields that are missing and seem to be there under another spelling: `petId` for `pet_id`. Unknown fields are ignored, so
 * that only the log can tell why one had no effect. The caller's spelling is not kept.
 */
export function findMisspelt(known: readonly string[], given: readonly string[]): RuleHit[] {
  const found = new Set(given)
  const missing = new Map(known.filter((name) => !found.has(name)).map((name) => [toPlain(name), name]))
  return given
    .slice(0, namesRead)
    .flatMap((name) => missing.get(toPlain(name)) ?? [])
    .map((name) => ({ rule: 'misspelt-field', path: `/${name}` }))
}

const toPlain = (name: string) =>
  name
    .slice(0, 64)
    .replace(/\[\d*\]$/, '')
    .replaceAll(/[_\- ]/g, '')
    .toLowerCase()
