import { join } from 'node:path'
import { type Location, locate, toLocation, toPointer } from '../text/json-location.js'
import type { CopyCheck } from './check.js'
import type { Finding } from './finding.js'
import { findCatalogFolder, type ReviewInput } from './review-input.js'

/** A finding with its path and position. */
export interface LocatedFinding extends Finding {
  readonly path: string
  readonly location?: Location
}

/** The content of a report of `svc insight check`. */
export type CheckReport = ReturnType<typeof describeCheck>

interface ReportInput extends Pick<ReviewInput, 'sources' | 'ruleVersion' | 'mergedVersion'> {}

/** Lists the findings of a check by file and line. */
export function describeCheck(
  input: ReportInput,
  { findings, isRendered, signed }: Pick<CopyCheck, 'findings' | 'isRendered' | 'signed'>,
) {
  const located = findings.map((finding) => locateFinding(input, finding))
  const lineOf = ({ location }: LocatedFinding) => location?.line ?? 0
  located.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : lineOf(a) - lineOf(b)))
  return { ruleVersion: input.mergedVersion ?? input.ruleVersion, findings: located, signed, isRendered }
}

const start = { line: 1, column: 1 }

/** Finds the line and column of a finding in its catalog file. */
export function locateFinding({ sources }: Pick<ReviewInput, 'sources'>, finding: Finding): LocatedFinding {
  const { file, id, locale, offset } = finding
  const path = join(findCatalogFolder(), '..', file)
  const content = sources.find((source) => source.file === file)?.content
  if (content === undefined) return { ...finding, path }
  if (offset !== undefined) return { ...finding, path, location: toLocation(content, offset, start) }
  if (id === undefined) return { ...finding, path }
  const pointer = toPointer([id, ...(locale === undefined ? [] : [locale])])
  return { ...finding, path, location: locate(content, pointer, start) }
}
