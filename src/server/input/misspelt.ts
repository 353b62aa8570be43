import type { RuleHit } from '../../log/request-log.js'

/** Bounds the work for a body with many unknown names. */
const namesRead = 100

/**
 * Finds missing fields that seem to be present under another spelling, such as `petId` for `pet_id`. Unknown fields are
 * ignored, so only the log can tell why one had no effect. The caller's spelling is not logged.
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
