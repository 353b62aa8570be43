import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { findStats, type Source, type SourceOrProblem } from './sources.js'

/**
 * Leaves out each `index.json` of `svc payload mutate` that a folder or a pattern lists, and returns the names of those. An
 * index that is named, or that is listed without any payload, gives a problem.
 */
export function leaveOutIndexes(found: readonly SourceOrProblem[]): {
  readonly sources: readonly SourceOrProblem[]
  readonly leftOut: readonly string[]
} {
  const isIndex = found.map(({ source }) => source !== undefined && isMutantIndex(source))
  const hasOthers = isIndex.includes(false)
  const sources: SourceOrProblem[] = []
  const leftOut: string[] = []
  for (const [place, one] of found.entries()) {
    if (one.source === undefined || !isIndex[place]) sources.push(one)
    else if (one.source.listed && hasOthers) leftOut.push(one.source.name)
    else sources.push({ problem: `${one.source.name}: it is an index of mutants, not a payload.` })
  }
  return { sources, leftOut }
}

/** An index of all rules has about 10 kB; a larger file is not read. */
const indexBytesAtMost = 1 << 20

function isMutantIndex({ path }: Source): boolean {
  if (path === undefined || basename(path) !== 'index.json') return false
  if ((findStats(path)?.size ?? Number.POSITIVE_INFINITY) > indexBytesAtMost) return false
  try {
    const rows: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Array.isArray(rows) && rows.length > 0 && rows.every(isRow)
  } catch {
    // The check that follows reports a file that cannot be read or is not JSON.
    return false
  }
}

function isRow(row: unknown): boolean {
  if (typeof row !== 'object' || row === null) return false
  const { file, rule, path } = row as Readonly<Record<string, unknown>>
  return [file, rule, path].every((value) => typeof value === 'string')
}
